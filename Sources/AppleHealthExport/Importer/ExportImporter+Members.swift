import Foundation
import HealthStore
import SampleLog

// Records, and the objects that contain copies of them.
extension ExportImporter {
  /// Imports a record; `isAgain` marks one that was held or deferred.
  func take(_ record: ExportRecord, at offset: Int64, isAgain: Bool = false) {
    if !record.beats.isEmpty, !isAgain { takeHeartbeats(of: record, at: offset) }
    let keptAsText = converter.keptAsText
    do throws(ImportRejection) {
      var sample = try converter.sample(record)
      if !isAgain, let unknown = converter.unknown(record, sample) {
        summary.noteUnknown(unknown, at: offset)
      }
      let contents = contents(of: sample, record)
      let identity = contents.own.low
      if record.isPart {
        return takePart(&sample, contents, record.metadata.byteCount, at: offset)
      }
      if waiting.hasEarly(identity) {
        let isAny = least == .distant
        if waiting.takeEarly(identity, like: sample.contentsHash, orAny: isAny) { return }
        return postpone(.record(record), at: offset, keptAsText)
      }
      if !isAgain, RecordConverter.mayBeMember(sample.type) {
        forgetNotes(keptAsText)
        return waiting.hold(
          .init(record: record, offset: offset, contents: sample.contentsHash),
          identity: identity)
      }
      guard place(&sample, contents, accepting: least) else {
        return postpone(.record(record), at: offset, keptAsText)
      }
      if isAgain, RecordConverter.mayBeMember(sample.type) { released.add(contents.own) }
      waitingBytes += record.metadata.byteCount
      add(sample, at: offset)
    } catch {
      summary.note(error.problem, at: offset)
    }
  }

  /// Defers the import of an item, which is then converted again.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - offset: Its position in the document.
  ///   - keptAsText: The counts of metadata kept as text before the item was converted.
  func postpone(_ item: ExportItem, at offset: Int64, _ keptAsText: [String: Int]) {
    forgetNotes(keptAsText)
    waiting.deferItem(item, at: offset)
  }

  /// Reverts the counts and problems that the conversion of an item added.
  private func forgetNotes(_ keptAsText: [String: Int]) {
    converter.keptAsText = keptAsText
    _ = converter.takeRepeated()
  }

  /// Imports a record inside an element that does not link to it, unless its copy at top level was
  /// already read.
  private func takePart(
    _ sample: inout IncomingSample, _ contents: SampleContents, _ byteCount: Int, at offset: Int64
  ) {
    let isCopy = parts.count(contents.own) <= identities.count(contents.own)
    if isCopy || !waiting.held(contents.own.low).isEmpty { return }
    waiting.addEarly(contents.own.low, sample.contentsHash)
    identify(&sample, contents)
    waitingBytes += byteCount
    add(sample, at: offset)
  }

  /// A record inside a correlation or workout.
  private struct Part {
    var sample: IncomingSample
    var contents: SampleContents
    var hash: UInt64
    var byteCount: Int
    /// The identifier of the stored member that it matches.
    var known: UUID?
  }

  /// Imports a correlation with its members.
  func take(_ correlation: ExportCorrelation, at offset: Int64) {
    let keptAsText = converter.keptAsText
    let converted = Result { () throws(ImportRejection) -> IncomingSample in
      if correlation.records.count > Self.mostMembers {
        throw ImportRejection(
          problem: .tooManyMembers(type: correlation.type, count: correlation.records.count))
      }
      return try converter.sample(correlation)
    }
    var parts: [Part] = []
    var missing = 0
    for record in correlation.records {
      do throws(ImportRejection) {
        let sample = try converter.sample(record)
        parts.append(
          Part(
            sample: sample, contents: contents(of: sample, record), hash: sample.contentsHash,
            byteCount: record.metadata.byteCount))
      } catch {
        // The reason is reported for the copy at top level.
        missing += 1
      }
    }
    do throws(ImportRejection) {
      var whole = try converted.get()
      let isSure = least == .distant || areTwinsEqual(parts)
      guard isSure, let isKnown = recognize(&whole, &parts) else {
        return postpone(.correlation(correlation), at: offset, keptAsText)
      }
      correlationIdentity = whole.syncIdentity
      defer { correlationIdentity = nil }
      for index in parts.indices { placeMember(&parts[index]) }
      if !isKnown {
        let earlier = identities.earlier?.content(of: correlation)
        identify(
          &whole, contents(of: whole, .members(parts.map(\.sample.uuid)), earlier: earlier))
      }
      var members: [Member] = []
      for part in parts {
        var member = part.sample
        member.memberOf = [Identifier(whole.uuid)]
        members.append(member.asMember)
        add(member, at: offset)
      }
      whole.payload = CorrelationPayload(members)
      waitingBytes += correlation.records.reduce(0) { $0 + $1.metadata.byteCount }
      waitingBytes += correlation.metadata.byteCount
      add(whole, at: offset)
    } catch {
      summary.note(error.problem, at: offset)
      // The members of a rejected correlation become separate samples.
      for var part in parts {
        takePart(&part.sample, part.contents, part.byteCount, at: offset)
      }
    }
    for _ in 0..<missing { summary.note(.missingMember(type: correlation.type), at: offset) }
  }

  /// Returns whether each member has an equal copy at top level, or none so far.
  private func areTwinsEqual(_ parts: [Part]) -> Bool {
    var used: [UInt64: [UInt64]] = [:]
    for part in parts {
      let twins = waiting.held(part.contents.own.low)
      if twins.isEmpty { continue }
      let found = used[part.contents.own.low] ?? []
      let count = found.count { $0 == part.hash }
      if twins.count(where: { $0.contents == part.hash }) <= count, twins.count > found.count {
        return false
      }
      used[part.contents.own.low] = found + [part.hash]
    }
    return true
  }

  /// Matches a correlation and its members to stored ones, and assigns the stored identifiers.
  ///
  /// Members with a sync identifier match by it, in any version. Returns nil if the only candidates
  /// have less likeness and may match a later correlation, or false if there are none.
  private func recognize(_ whole: inout IncomingSample, _ parts: inout [Part]) -> Bool? {
    if identities.earlier == nil { return false }
    var isUnlike = false
    let sought = whole
    let candidates = reading([]) { try writer.correlations(like: sought) }
    for candidate in candidates where !identities.isClaimed(candidate.row.id.uuid) {
      let row = candidate.row
      guard let (found, likeness) = pairs(parts, candidate.members) else { continue }
      guard min(likeness, self.likeness(of: whole, to: row)) >= least else {
        isUnlike = true
        continue
      }
      whole.uuid = row.id.uuid
      identities.claim(row.id.uuid)
      for (index, id) in found.enumerated() { parts[index].known = id }
      return true
    }
    return isUnlike ? nil : false
  }

  /// Matches records to the members of a stored correlation.
  ///
  /// Returns the identifiers of the stored members (nil for another version) and the least likeness
  /// of all pairs, or nil if the members differ.
  private func pairs(
    _ parts: [Part], _ members: [(member: Member, row: Row?)]
  ) -> ([UUID?], Likeness)? {
    guard parts.count == members.count else { return nil }
    var left = members
    var least = Likeness.equal
    var found: [UUID?] = []
    for part in parts {
      var best: (index: Int, likeness: Likeness, id: UUID?)?
      for (index, (member, row)) in left.enumerated() where member.type == part.sample.type {
        guard let (likeness, id) = match(part, member, row) else { continue }
        if best.map({ likeness > $0.likeness }) ?? true { best = (index, likeness, id) }
        if likeness == .equal { break }
      }
      guard let best else { return nil }
      left.remove(at: best.index)
      least = min(least, best.likeness)
      found.append(best.id)
    }
    return (found, least)
  }

  private func match(
    _ part: Part, _ member: Member, _ row: Row?
  ) -> (Likeness, UUID?)? {
    let identity = part.sample.syncIdentity
    guard identity?.identifier ?? [] == member.syncIdentifier else { return nil }
    // An import restores a deleted member.
    guard let row else { return (.close, identity == nil ? member.id.uuid : nil) }
    if isEqual(part, row) { return (likeness(of: part.sample, to: row), row.id.uuid) }
    // Another version replaces the stored one.
    return identity == nil ? nil : (.equal, nil)
  }

  /// Returns whether a stored row has the time, the value and the version of a member.
  private func isEqual(_ part: Part, _ row: Row) -> Bool {
    guard
      row.start.rounded(.down)
        == part.sample.start.timeIntervalSinceReferenceDate.rounded(.down),
      row.end.rounded(.down) == part.sample.end.timeIntervalSinceReferenceDate.rounded(.down),
      reading(false, { try writer.isVersion(row, of: part.sample.syncIdentity) })
    else { return false }
    if part.contents.number != nil { return isSame(row, part.contents.number) }
    return row.value == part.sample.value
  }

  /// Assigns a member its identifier, which its copy at top level shares.
  private func placeMember(_ part: inout Part) {
    let identity = part.contents.own.low
    let twin = waiting.takeHeld(identity, like: part.hash)
    // The copy was converted before it was held; if that fails now, the member's own text is used.
    if let twin, twin.contents != part.hash,
      let sample = try? converter.sample(twin.record)
    {
      part.sample = sample
    }
    let number = twin == nil ? takenTwin(of: part) : nil
    if let known = part.known {
      part.sample.uuid = known
      identities.claim(known)
    } else if let number {
      part.sample.uuid = identifier(part.contents.own, number)
    } else {
      identify(&part.sample, part.contents, isMember: true)
    }
    if twin == nil, number == nil { waiting.addEarly(identity, part.hash) }
  }

  /// Returns the occurrence number of the copy at top level that was imported before, or nil.
  private func takenTwin(of part: Part) -> UInt32? {
    let hash = part.contents.own
    if RecordConverter.mayBeMember(part.sample.type) { return released.take(hash) }
    let number = parts.count(hash)
    return number <= identities.count(hash) ? number : nil
  }

  /// Imports an effort score inside a workout or an activity, which may also appear in other
  /// containers and at top level.
  ///
  /// Returns nil if the score cannot be imported, which the summary then reports.
  func effort(
    _ record: ExportRecord, in container: inout EffortContainer, at offset: Int64
  ) -> IncomingSample? {
    do throws(ImportRejection) {
      var sample = try converter.sample(record)
      let contents = contents(of: sample, record)
      let (identity, hash) = (contents.own.low, sample.contentsHash)
      let part = Part(
        sample: sample, contents: contents, hash: hash, byteCount: record.metadata.byteCount)
      let key = container.key(identity ^ hash)
      if let known = container.takeRelated(where: { row in
        writer.symbols.text(row.block.type) == sample.type && isEqual(part, row)
      }) {
        if waiting.takeHeld(identity, like: hash) == nil, !identities.isClaimed(known) {
          waiting.addEarly(identity, hash)
        }
        identities.claim(known)
        sample.uuid = known
        efforts[key] = known
        return sample
      }
      let twin = waiting.takeHeld(identity, like: hash, orAny: false)
      if twin == nil, let known = efforts[key] {
        sample.uuid = known
        return sample
      }
      identify(&sample, contents)
      if twin == nil { waiting.addEarly(identity, hash) }
      efforts[key] = sample.uuid
      waitingBytes += record.metadata.byteCount
      add(sample, at: offset)
      return sample
    } catch {
      summary.note(error.problem, at: offset)
      return nil
    }
  }
}

/// The effort scores of a workout or of one of its activities.
struct EffortContainer {
  /// The stored scores that are not yet matched to a record.
  private var related: [Row]
  private var counts: [UInt64: UInt64] = [:]

  init(_ related: [Row]) { self.related = related }

  /// Returns the key of the next record with the given contents.
  ///
  /// A score may appear in several containers, but two equal scores in one container are distinct.
  mutating func key(_ contents: UInt64) -> UInt64 {
    let count = counts[contents, default: 0]
    counts[contents] = count + 1
    return contents &+ count &* 0x9E37_79B9_7F4A_7C15
  }

  /// Removes the first stored score that satisfies a predicate, and returns its identifier.
  mutating func takeRelated(where isIt: (Row) -> Bool) -> UUID? {
    related.firstIndex(where: isIt).map { related.remove(at: $0).id.uuid }
  }
}

extension IncomingSample {
  /// The hash of the sample's columns and metadata, by which copies in one file are matched.
  var contentsHash: UInt64 {
    var hasher = Hasher()
    hasher.combine(start)
    hasher.combine(end)
    hasher.combine(value)
    hasher.combine(unit?.unitString)
    hasher.combine(sourceRevision.storedBytes)
    hasher.combine(device?.storedBytes)
    if !metadata.isEmpty { hasher.combine(try? MetadataCoding.encode(metadata)) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
