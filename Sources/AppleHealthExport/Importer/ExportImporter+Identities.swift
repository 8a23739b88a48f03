import Foundation
import HealthStore
import SampleLog

/// Identifies the samples of one file, and recognises those that the store has.
struct ImportIdentities {
  fileprivate var content = SampleIdentity()
  /// The numbers of contents that samples of the file have, and of contents of earlier versions.
  fileprivate var slots = SlotTable()
  fileprivate var earlierSlots = SlotTable()
  /// The samples that the store has under another content than their own, by their own.
  fileprivate var elsewhere = OccurrenceTable()
  /// The stored samples that samples of the file were found to be without a number.
  fileprivate var claimed: Set<UUID> = []
  /// The identities of earlier versions; nil for a subject without samples, which has none.
  var earlier: EarlierIdentities?
  /// Whether the last sample that was there already had an identifier of an earlier version.
  fileprivate var prefersEarlier = false

  init(isNewSubject: Bool) { earlier = isNewSubject ? nil : EarlierIdentities() }

  /// The number of samples of the file with a content.
  func count(_ hash: SipHash128.Output) -> UInt32 {
    slots.count(hash) + elsewhere.occurrences(of: hash)
  }

  /// Takes a stored sample for one of the file.
  mutating func claim(_ id: UUID) { claimed.insert(id) }

  func isClaimed(_ id: UUID) -> Bool { claimed.contains(id) }
}

/// The contents under which the store may have a sample.
struct SampleContents {
  /// The hash of the sample, by which it is identified if it is new.
  var own: SipHash128.Output
  /// The hash that earlier versions of this library made.
  var earlier: SipHash128.Output?
  /// The hash of a category value as one whose name is not known.
  var unnamed: SipHash128.Output?
  /// The value in base units, if it is a quantity.
  var number: Double?
}

extension ExportImporter {
  /// The samples of one content that a sample is compared with.
  private static let mostCompared = 64

  /// The contents of a sample, complete but for its identifier.
  func contents(
    of sample: ImportedSample, _ content: SampleIdentity.Content,
    earlier: SipHash128.Output? = nil, number: Double? = nil
  ) -> SampleContents {
    identities.content.begin(sample)
    return SampleContents(
      own: identities.content.hash(content), earlier: earlier, number: number)
  }

  /// The contents of the sample that a record stands for.
  func contents(of sample: ImportedSample, _ record: ExportRecord) -> SampleContents {
    let earlier = identities.earlier?.content(of: record)
    if let unit = sample.unit {
      let number = converter.baseValue(sample.value, unit)
      return contents(of: sample, .quantity(Quantum(number)), earlier: earlier, number: number)
    }
    let name = sample.metadata[RecordConverter.categoryNameKey] as? String
    var result = contents(
      of: sample, .category(Int(sample.value), name: name), earlier: earlier)
    // A version that did not know the word yet may have stored it.
    if identities.earlier != nil, name == nil, let word = record.value, Int(word) == nil {
      result.unnamed = identities.content.hash(
        .category(RecordConverter.unknownCategoryValue, name: word))
    }
    return result
  }

  /// Gives a sample its identifier at once: that of the stored sample that is most like it, or a
  /// new one.
  func identify(
    _ sample: inout ImportedSample, _ contents: SampleContents, isMember: Bool = false
  ) {
    for least in [Likeness.equal, .close, .distant] {
      if place(&sample, contents, accepting: least, isMember: isMember) { return }
    }
  }

  /// Gives a sample its identifier: that of the sample in the store that it is, or a new one.
  ///
  /// Several samples may have one identity, in any order. A stored one is therefore taken for the
  /// sample only if it is enough like it; one that is less so may be another's.
  ///
  /// - Parameters:
  ///   - sample: The sample, complete but for its identifier.
  ///   - contents: Its contents.
  ///   - least: How much alike a stored sample must be.
  ///   - isMember: Whether it is a member of a new correlation. If so, no member of a stored
  ///     correlation is taken for it.
  /// - Returns: Whether it has one: false if the store has a sample that is less like it.
  func place(
    _ sample: inout ImportedSample, _ contents: SampleContents, accepting least: Likeness,
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
    // One of the two is there for most samples of a file that was imported before.
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

  /// The kind of content under which a sample is looked up.
  private enum Form { case own, earlier, unnamed, neighbour }

  private enum Finding { case taken, unlike, none }

  /// Takes a stored sample of a content that no other sample of the file has, if it is enough like
  /// the sample.
  private func take(
    _ hash: SipHash128.Output, _ form: Form, for sample: inout ImportedSample, _ number: Double?,
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

  /// The identifier of a content's sample of a number.
  func identifier(_ hash: SipHash128.Output, _ number: UInt32) -> UUID {
    scope.identifier(SampleIdentity.identifier(hash, occurrence: number))
  }

  /// Whether a stored number may be the same quantity.
  func isSame(_ row: RowReference, _ number: Double?) -> Bool {
    let (value, unit) = writer.number(of: row)
    let stored = unit.map { UnitConversion(toBaseUnitsOf: $0.form)(value) } ?? value
    return number.map { Quantum.isSame(stored, $0) } ?? false
  }

  private func isMemberElsewhere(_ row: RowReference, _ sample: ImportedSample) -> Bool {
    reading(false) { try writer.isMember(row, notOf: correlationIdentity) }
  }

  /// The live row of an identifier.
  func stored(_ id: UUID) -> RowReference? { reading(nil) { try writer.row(id) } }

  func likeness(of sample: ImportedSample, to row: RowReference) -> Likeness {
    reading(.distant) { try writer.likeness(of: sample, to: row) }
  }

  /// Reads the store, whose errors end the import.
  func reading<Value>(_ none: Value, _ body: () throws -> Value) -> Value {
    do {
      return try body()
    } catch {
      failure = failure ?? error
      return none
    }
  }
}
