import Foundation
import SampleLog

/// A block of the engine's as samples see it: shared by all samples that a query made from it.
///
/// A sample's properties cannot report an error, so a ``RowCheck`` has looked at each row before it
/// becomes a sample, and the members of correlations have been read.
final class StoredBlock: SampleBlock, @unchecked Sendable {
  let block: Block
  private let context: StoreContext
  /// Where the correlations that contain a row are looked up; nil in what queries return.
  private let snapshot: Snapshot?
  // Most blocks have one unit and one source; these spare the others' look-up.
  private let unitSymbol: Symbol
  private let unit: HKUnit
  private let sourceSymbol: Symbol
  private let revision: HKSourceRevision
  /// The members of the rows that are correlations, as far as they have been read.
  private let members = Locked<[Int32: Set<HKSample>]>([:])

  init(
    _ block: Block, _ type: HKSampleType, _ context: StoreContext, snapshot: Snapshot? = nil
  ) {
    self.block = block
    self.context = context
    self.snapshot = snapshot
    unitSymbol = block.count > 0 ? block.unit[0] : 0
    sourceSymbol = block.count > 0 ? block.source[0] : 0
    unit = context.unit(unitSymbol)
    revision = context.sourceRevision(sourceSymbol)
    super.init(sampleType: type)
  }

  override func uuid(at row: Int32) -> UUID { block.id[Int(row)].uuid }

  override func startDate(at row: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: block.start[Int(row)])
  }

  override func endDate(at row: Int32) -> Date {
    Date(timeIntervalSinceReferenceDate: block.end[Int(row)])
  }

  override func value(at row: Int32) -> Double { block.value[Int(row)] }

  override func unit(at row: Int32) -> HKUnit {
    let symbol = block.unit[Int(row)]
    return symbol == unitSymbol ? unit : context.unit(symbol)
  }

  override func sourceRevision(at row: Int32) -> HKSourceRevision {
    let symbol = block.source[Int(row)]
    return symbol == sourceSymbol ? revision : context.sourceRevision(symbol)
  }

  override func device(at row: Int32) -> HKDevice? { context.device(block.device[Int(row)]) }

  override func metadata(at row: Int32) -> [String: Any]? {
    let bytes = block.metadata(at: Int(row))
    if bytes.isEmpty { return nil }
    do {
      return try MetadataCoding.decode([UInt8](bytes))
    } catch {
      if bytes.isPlainText { return nil }
      // A check that admits what cannot be decoded is a bug, and no answer would be right.
      fatalError("The metadata of the sample \(uuid(at: row)) was not checked: \(error).")
    }
  }

  override func objects(at row: Int32) -> Set<HKSample> { members.withLock { $0[row] } ?? [] }

  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a correlation cannot be read.
  override func isCorrelated(at row: Int32) throws -> Bool {
    guard let extras = Extras(block.extras(at: Int(row))), !extras.memberOf.isEmpty else {
      return false
    }
    guard let snapshot else { return true }
    return try extras.memberOf.contains { id in
      guard let owner = try snapshot.row(id) else { return false }
      return context.type(owner.block.type) is HKCorrelationType
    }
  }

  /// Reads the members of a row that is a correlation.
  ///
  /// A member that was deleted is not there.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when one cannot be read.
  func readMembers(of row: Int32, in snapshot: Snapshot) throws {
    if members.withLock({ $0[row] != nil }) { return }
    let reference = RowReference(block, Int(row))
    let extras = try snapshot.extras(of: reference)
    var objects: Set<HKSample> = []
    if extras.payloadKind != 0 {
      guard let payload = CorrelationPayload(extras) else {
        throw snapshot.damaged(reference, "members that make no sense")
      }
      var check = RowCheck(context, snapshot)
      for member in payload.members {
        guard let found = try find(member, in: snapshot), found.block.subject == block.subject,
          let type = context.type(found.block.type)
        else { continue }
        try check.check(found.block, found.row)
        let stored = StoredBlock(found.block, type, context)
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
    let key = SeriesKey(subject: block.subject, type: context.symbols.intern(member.type))
    return try snapshot.row(key, syncIdentifier: member.syncIdentifier)
  }
}
