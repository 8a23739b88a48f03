import Foundation
import HealthStore
import SampleLog

/// The state that identifies the samples of one file and matches them to stored samples.
struct ImportIdentities {
  fileprivate var content = SampleIdentity()
  /// The assigned occurrence numbers of contents, and those of contents of earlier versions.
  fileprivate var slots = SlotTable()
  fileprivate var earlierSlots = SlotTable()
  /// The samples that are stored under the hash of another content, counted by the hash of their
  /// own.
  fileprivate var elsewhere = OccurrenceTable()
  /// The stored samples that are matched to samples of the file without an occurrence number.
  fileprivate var claimed: Set<UUID> = []
  /// The identities of earlier versions, or nil for a subject without samples, which has none.
  var earlier: EarlierIdentities?
  /// Whether the last matched sample was stored by an earlier version.
  fileprivate var prefersEarlier = false

  init(isNewSubject: Bool) { earlier = isNewSubject ? nil : EarlierIdentities() }

  /// Returns the number of samples of the file with a content.
  func count(_ hash: SipHash128.Output) -> UInt32 {
    slots.count(hash) + elsewhere.occurrences(of: hash)
  }

  /// Marks a stored sample as matched to a sample of the file.
  mutating func claim(_ id: UUID) { claimed.insert(id) }

  func isClaimed(_ id: UUID) -> Bool { claimed.contains(id) }
}

/// The content hashes under which a sample may be stored.
struct SampleContents {
  /// The hash that identifies the sample if it is new.
  var own: SipHash128.Output
  /// The hash of earlier versions of this library.
  var earlier: SipHash128.Output?
  /// The hash of a category value that was stored when its name was unknown.
  var unnamed: SipHash128.Output?
  /// The value in base units, if it is a quantity.
  var number: Double?
}

extension ExportImporter {
  /// The maximum number of stored samples of one content that a sample is compared with.
  private static let mostCompared = 64

  /// Returns the content hashes of a sample, which is complete except for its identifier.
  func contents(
    of sample: IncomingSample, _ content: SampleIdentity.Content,
    earlier: SipHash128.Output? = nil, number: Double? = nil
  ) -> SampleContents {
    identities.content.begin(sample)
    return SampleContents(
      own: identities.content.hash(content), earlier: earlier, number: number)
  }

  /// Returns the content hashes of the sample converted from a record.
  func contents(of sample: IncomingSample, _ record: ExportRecord) -> SampleContents {
    let earlier = identities.earlier?.content(of: record)
    if let unit = sample.unit {
      let number = converter.baseValue(sample.value, unit)
      return contents(of: sample, .quantity(Quantum(number)), earlier: earlier, number: number)
    }
    let name = sample.metadata[RecordConverter.categoryNameKey] as? String
    var result = contents(
      of: sample, .category(Int(sample.value), name: name), earlier: earlier)
    // An earlier version that did not know the name may have stored the sample.
    if identities.earlier != nil, name == nil, let word = record.value, Int(word) == nil {
      result.unnamed = identities.content.hash(
        .category(RecordConverter.unknownCategoryValue, name: word))
    }
    return result
  }

  /// Assigns an identifier to a sample without deferring it: that of the stored sample with the
  /// greatest likeness, or a new one.
  func identify(
    _ sample: inout IncomingSample, _ contents: SampleContents, isMember: Bool = false
  ) {
    for least in [Likeness.equal, .close, .distant] {
      if place(&sample, contents, accepting: least, isMember: isMember) { return }
    }
  }

  /// Assigns an identifier to a sample: that of the matching stored sample, or a new one.
  ///
  /// Several samples may share one identity, in any order. A stored sample therefore matches only
  /// with a sufficient likeness; one with less may match a later sample of the file.
  ///
  /// - Parameters:
  ///   - sample: The sample, complete except for its identifier.
  ///   - contents: Its content hashes.
  ///   - least: The minimum likeness of a stored sample.
  ///   - isMember: Whether it is a member of a new correlation. If so, members of other stored
  ///     correlations do not match.
  /// - Returns: Whether an identifier was assigned; false if the store only has a sample with less
  ///   likeness.
  func place(
    _ sample: inout IncomingSample, _ contents: SampleContents, accepting least: Likeness,
    isMember: Bool = false
  ) -> Bool {
    guard identities.earlier != nil else {
      sample.uuid = identifier(contents.own, identities.slots.takeNext(contents.own))
      return true
    }
    var isUnlike = false
    func isFound(_ hash: SipHash128.Output, _ form: Form) -> Bool {
      let result = take(hash, form, for: &sample, contents.number, least, isMember)
      if result == .unlike { isUnlike = true }
      if result == .taken, form != .own { _ = identities.elsewhere.count(contents.own) }
      return result == .taken
    }
    let prefersEarlier = identities.prefersEarlier
    // If a file was imported before, most of its samples are stored under one of these two hashes.
    if prefersEarlier, let earlier = contents.earlier, isFound(earlier, .earlier) { return true }
    if isFound(contents.own, .own) {
      identities.prefersEarlier = false
      return true
    }
    if !prefersEarlier, let earlier = contents.earlier, isFound(earlier, .earlier) {
      identities.prefersEarlier = true
      return true
    }
    if let unnamed = contents.unnamed, isFound(unnamed, .unnamed) { return true }
    if let number = contents.number, let other = Quantum.neighbour(of: number) {
      identities.content.begin(sample)
      if isFound(identities.content.hash(.quantity(other)), .neighbour) { return true }
    }
    if isUnlike, least > .distant { return false }
    var slot = identities.slots.next(contents.own)
    while identities.slots.isTaken(slot, of: contents.own)
      || stored(identifier(contents.own, slot)) != nil
    {
      slot += 1
    }
    identities.slots.take(slot, of: contents.own)
    sample.uuid = identifier(contents.own, slot)
    return true
  }

  /// The kind of content hash by which a sample is looked up.
  private enum Form { case own, earlier, unnamed, neighbour }

  private enum Finding { case taken, unlike, none }

  /// Matches a sample to a stored sample of a content that is not yet matched and has the minimum
  /// likeness.
  private func take(
    _ hash: SipHash128.Output, _ form: Form, for sample: inout IncomingSample, _ number: Double?,
    _ least: Likeness, _ isMember: Bool
  ) -> Finding {
    let isEarlier = form == .earlier
    var result = Finding.none
    var slot = isEarlier ? identities.earlierSlots.next(hash) : identities.slots.next(hash)
    for _ in 0..<Self.mostCompared {
      defer { slot += 1 }
      let isTaken =
        isEarlier
        ? identities.earlierSlots.isTaken(slot, of: hash)
        : identities.slots.isTaken(slot, of: hash)
      if isTaken { continue }
      let id = identifier(hash, slot)
      if identities.isClaimed(id) { continue }
      guard let row = stored(id) else { break }
      if form == .neighbour, !isSame(row, number) { continue }
      if isMember, isMemberElsewhere(row, sample) { continue }
      guard likeness(of: sample, to: row) >= least else {
        result = .unlike
        continue
      }
      if isEarlier {
        identities.earlierSlots.take(slot, of: hash)
      } else {
        identities.slots.take(slot, of: hash)
      }
      sample.uuid = id
      return .taken
    }
    return result
  }

  /// Returns the identifier of the sample with the given content and occurrence number.
  func identifier(_ hash: SipHash128.Output, _ number: UInt32) -> UUID {
    scope.identifier(SampleIdentity.identifier(hash, occurrence: number))
  }

  /// Returns whether a stored number may be the same quantity.
  func isSame(_ row: Row, _ number: Double?) -> Bool {
    let (value, unit) = writer.number(of: row)
    let stored = unit.map { UnitConversion(toBaseUnitsOf: $0.form)(value) } ?? value
    return number.map { Quantum.isSame(stored, $0) } ?? false
  }

  private func isMemberElsewhere(_ row: Row, _ sample: IncomingSample) -> Bool {
    reading(false) { try writer.isMember(row, notOf: correlationIdentity) }
  }

  /// Returns the live row of an identifier, or nil.
  func stored(_ id: UUID) -> Row? { reading(nil) { try writer.row(id) } }

  func likeness(of sample: IncomingSample, to row: Row) -> Likeness {
    reading(.distant) { try writer.likeness(of: sample, to: row) }
  }

  /// Reads the store; returns `none` after an error, which ends the import.
  func reading<Value>(_ none: Value, _ body: () throws -> Value) -> Value {
    do {
      return try body()
    } catch {
      failure = failure ?? error
      return none
    }
  }
}
