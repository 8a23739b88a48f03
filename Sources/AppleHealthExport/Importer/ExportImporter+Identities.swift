import Foundation
import HealthStore

/// Identifies the samples of one file, and recognises those that the store has.
struct ImportIdentities {
  /// The samples at top level by their content, and those inside others.
  fileprivate var topLevel = OccurrenceTable()
  fileprivate var parts = OccurrenceTable()
  fileprivate var content = SampleIdentity()
  /// The identifiers of earlier versions; nil for a subject without samples, which has none.
  var earlier: EarlierIdentities?
  /// Whether the last sample that was there already had an identifier of an earlier version.
  fileprivate var prefersEarlier = false

  init(isNewSubject: Bool) { earlier = isNewSubject ? nil : EarlierIdentities() }

  /// Notes one more sample with a content, and returns how many there are.
  fileprivate mutating func count(_ hash: SipHash128.Output, isPart: Bool) -> UInt32 {
    isPart ? parts.count(hash) : topLevel.count(hash)
  }

  /// The number that the next sample with a content has.
  fileprivate func next(_ hash: SipHash128.Output, isPart: Bool) -> UInt32 {
    (isPart ? parts : topLevel).occurrences(of: hash) + 1
  }
}

extension ExportImporter {
  /// Gives a sample its identifier: that of the sample in the store that it is, or a new one.
  ///
  /// - Parameters:
  ///   - sample: The sample, complete but for its identifier.
  ///   - content: What it has beside type, source, dates and sync identity.
  ///   - earlier: The identifier that an earlier version would have given it.
  ///   - number: Its value in base units, if it is a quantity.
  ///   - isPart: Whether it stands inside another object; its copy at top level has the same
  ///     identifier.
  /// - Returns: Whether it is a part whose copy at top level came before it.
  @discardableResult
  func identify(
    _ sample: inout ImportedSample, as content: SampleIdentity.Content, earlier: UUID? = nil,
    number: Double? = nil, isPart: Bool = false
  ) -> Bool {
    identities.content.begin(sample)
    var hash = identities.content.hash(content)
    if identities.earlier == nil {
      let occurrence = identities.count(hash, isPart: isPart)
      sample.uuid = scope.identifier(SampleIdentity.identifier(hash, occurrence: occurrence))
      return isPart && identities.topLevel.occurrences(of: hash) >= occurrence
    }
    let next = identities.next(hash, isPart: isPart)
    let own = scope.identifier(SampleIdentity.identifier(hash, occurrence: next))
    sample.uuid = own
    let before = earlier.map { scope.identifier($0) }
    // One of the two is there for most samples of a file that was imported before.
    let candidates = identities.prefersEarlier ? [before, own] : [own, before]
    if let known = candidates.lazy.compactMap({ $0 }).first(where: { isStored($0) }) {
      identities.prefersEarlier = known == before
      sample.uuid = known
    } else if let number, let other = Quantum.neighbour(of: number) {
      let near = identities.content.hash(.quantity(other))
      let next = identities.next(near, isPart: isPart)
      let id = scope.identifier(SampleIdentity.identifier(near, occurrence: next))
      if let stored = storedNumber(of: id), Quantum.isSame(stored, number) {
        sample.uuid = id
        hash = near
      }
    }
    let occurrence = identities.count(hash, isPart: isPart)
    return isPart && identities.topLevel.occurrences(of: hash) >= occurrence
  }

  /// The sample that a record stands for, with its identifier, and whether it is a part whose copy
  /// at top level came before it.
  func identified(
    _ record: ExportRecord, earlier: UUID?, isPart: Bool
  ) throws(ImportRejection) -> (ImportedSample, isCopy: Bool) {
    var sample = try converter.sample(record)
    let isCopy: Bool
    if let unit = sample.unit {
      let number = converter.baseValue(sample.value, unit)
      isCopy = identify(
        &sample, as: .quantity(Quantum(number)), earlier: earlier, number: number, isPart: isPart)
    } else {
      let name = sample.metadata[RecordConverter.categoryNameKey] as? String
      isCopy = identify(
        &sample, as: .category(Int(sample.value), name: name), earlier: earlier, isPart: isPart)
    }
    return (sample, isCopy)
  }

  private func isStored(_ id: UUID) -> Bool {
    do {
      return try writer.contains(id)
    } catch {
      failure = failure ?? error
      return false
    }
  }

  /// The value of a sample of the store in base units.
  private func storedNumber(of id: UUID) -> Double? {
    do {
      return try writer.number(of: id).map { value, unit in
        unit.map { UnitConversion(toBaseUnitsOf: $0.form)(value) } ?? value
      }
    } catch {
      failure = failure ?? error
      return nil
    }
  }
}
