import Foundation
import SampleLog

/// A block of the engine's as samples see it: shared by all samples that a query made from it.
///
/// A sample's properties cannot report an error, so a ``RowCheck`` has looked at each row before it
/// becomes a sample, and the members of correlations have been read. Every accessor is safe to call
/// from any thread.
final class StoredBlock: Sendable {
  let block: Block
  /// The type of every row.
  let sampleType: HKSampleType
  /// The class that a row becomes, worked out once per block.
  let kind: SampleKind
  private let reader: RowReader
  /// Where the correlations that contain a row are looked up; nil in what queries return.
  private let snapshot: Snapshot?
  // Most blocks have one unit and one source; these spare the others' look-up.
  private let unitSymbol: Symbol
  private let unit: HKUnit
  private let sourceSymbol: Symbol
  private let revision: HKSourceRevision
  /// The members of the rows that are correlations, as far as they have been read.
  private let members = Locked<[Int32: Set<HKSample>]>([:])

  init(_ block: Block, _ type: HKSampleType, _ reader: RowReader, snapshot: Snapshot? = nil) {
    self.block = block
    sampleType = type
    kind = SampleKind(of: type)
    self.reader = reader
    self.snapshot = snapshot
    unitSymbol = block.count > 0 ? block.unit[0] : 0
    sourceSymbol = block.count > 0 ? block.source[0] : 0
    unit = reader.unit(unitSymbol)
    revision = reader.sourceRevision(sourceSymbol)
  }

  func uuid(at row: Int32) -> UUID { block.id[Int(row)].uuid }

  func startDate(at row: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: block.start[Int(row)])
  }

  func endDate(at row: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: block.end[Int(row)])
  }

  /// The quantity in `unit(at:)`, or the category value; 0 for types with neither.
  func value(at row: Int32) -> Double { block.value[Int(row)] }

  func unit(at row: Int32) -> HKUnit {
    let symbol = block.unit[Int(row)]
    return symbol == unitSymbol ? unit : reader.unit(symbol)
  }

  func sourceRevision(at row: Int32) -> HKSourceRevision {
    let symbol = block.source[Int(row)]
    return symbol == sourceSymbol ? revision : reader.sourceRevision(symbol)
  }

  func device(at row: Int32) -> HKDevice? { reader.device(block.device[Int(row)]) }

  func metadata(at row: Int32) -> [String: Any]? {
    do {
      return try reader.metadata(of: RowReference(block, Int(row)))
    } catch {
      if block.metadata(at: Int(row)).isPlainText { return nil }
      // A check that admits what cannot be decoded is a bug, and no answer would be right.
      fatalError("The metadata of the sample \(uuid(at: row)) was not checked: \(error).")
    }
  }

  /// The objects that a correlation contains.
  func objects(at row: Int32) -> Set<HKSample> { members.withLock { $0[row] } ?? [] }

  /// Whether a correlation contains the row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a correlation cannot be read.
  func isCorrelated(at row: Int32) throws -> Bool {
    guard let extras = Extras(block.extras(at: Int(row))), !extras.memberOf.isEmpty else {
      return false
    }
    guard let snapshot else { return true }
    return try extras.memberOf.contains { id in
      try snapshot.row(id).map { reader.type(of: $0) is HKCorrelationType } ?? false
    }
  }

  /// Reads the members of a row that is a correlation.
  ///
  /// A member that was deleted is not there, nor is one that may not be seen.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when one cannot be read.
  func readMembers(of row: Int32, in snapshot: Snapshot, _ access: ReadAccess?) throws {
    if members.withLock({ $0[row] != nil }) { return }
    let reference = RowReference(block, Int(row))
    let extras = try snapshot.extras(of: reference)
    var objects: Set<HKSample> = []
    if extras.payloadKind != 0 {
      guard let payload = CorrelationPayload(extras) else {
        throw snapshot.damaged(reference, "members that make no sense")
      }
      var check = RowCheck(reader)
      for member in payload.members {
        guard let found = try find(member, in: snapshot), found.block.subject == block.subject,
          let type = reader.type(of: found), access?.admits(found, type) ?? true
        else { continue }
        try check.check(found, in: snapshot)
        let stored = StoredBlock(found.block, type, reader)
        objects.insert(HKSample.make(block: stored, row: Int32(found.row)))
      }
    }
    members.withLock { $0[row] = objects }
  }

  /// The member itself or the version that replaced it.
  private func find(
    _ member: CorrelationPayload.Member, in snapshot: Snapshot
  ) throws -> RowReference? {
    if let row = try snapshot.row(member.id) { return row }
    guard !member.syncIdentifier.isEmpty else { return nil }
    let key = SeriesKey(subject: block.subject, type: reader.symbols.intern(member.type))
    return try snapshot.row(key, syncIdentifier: member.syncIdentifier)
  }
}
