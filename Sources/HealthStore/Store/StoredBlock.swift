import Foundation
import SampleLog

/// A block of the engine's as samples see it: shared by all samples that a query made from it.
final class StoredBlock: SampleBlock, @unchecked Sendable {
  private let block: Block
  private let context: StoreContext
  /// Where other rows can be looked up, if need be.
  private let snapshot: Snapshot?
  // Most blocks have one unit and one source; these spare the others' look-up.
  private let unitSymbol: Symbol
  private let unit: HKUnit
  private let sourceSymbol: Symbol
  private let revision: HKSourceRevision

  init(_ block: Block, _ type: HKSampleType, _ context: StoreContext, snapshot: Snapshot?) {
    self.block = block
    self.context = context
    unitSymbol = block.count > 0 ? block.unit[0] : 0
    sourceSymbol = block.count > 0 ? block.source[0] : 0
    unit = context.unit(unitSymbol)
    revision = context.sourceRevision(sourceSymbol)
    self.snapshot = snapshot
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
    guard let extras = extras(at: row), !extras.metadata.isEmpty else { return nil }
    return try? MetadataCoding.decode(extras.metadata)
  }

  override func objects(at row: Int32) -> Set<HKSample> {
    guard let snapshot, let payload = CorrelationPayload(extras(at: row)) else { return [] }
    var objects: Set<HKSample> = []
    for member in payload.members {
      // A member that was deleted, or whose block cannot be read, is not there.
      guard
        let found = try? find(member, in: snapshot), found.block.subject == block.subject,
        let type = context.type(found.block.type)
      else { continue }
      let stored = StoredBlock(found.block, type, context, snapshot: nil)
      objects.insert(HKSample.make(block: stored, row: Int32(found.row)))
    }
    return objects
  }

  override func isCorrelated(at row: Int32) -> Bool {
    guard let members = extras(at: row)?.memberOf, !members.isEmpty else { return false }
    guard let snapshot else { return true }
    return members.contains { id in
      guard let owner = try? snapshot.row(id) else { return false }
      return context.type(owner.block.type) is HKCorrelationType
    }
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

  private func extras(at row: Int32) -> Extras? {
    let bytes = block.extras(at: Int(row))
    return bytes.isEmpty ? nil : Extras(bytes)
  }
}
