import Foundation
import SampleLog

/// A block of the engine, shared by all samples that a query created from its rows.
///
/// Knows columns, symbols and payloads, but not the objects above it. A sample's properties cannot
/// report errors, so a row is validated before it becomes a sample, and the members of correlations
/// are read up front. Every accessor is thread-safe.
final class StoredBlock: Sendable {
  let block: Block
  /// The type of every row.
  let sampleType: HKSampleType
  /// The sample kind of every row, computed once per block.
  let kind: SampleKind
  private let reader: RowReader
  /// The source of snapshots for looking up the correlations that contain a row; nil for blocks of
  /// query results.
  private let snapshot: (@Sendable () -> Snapshot)?
  // Most blocks have one unit and one source, so the first row's are resolved once.
  private let unitSymbol: Symbol
  private let unit: HKUnit
  private let sourceSymbol: Symbol
  private let revision: HKSourceRevision
  private let contents = Locked(Contents())

  /// Decoded contents of those rows that need them, by row.
  private struct Contents: Sendable {
    /// The objects that were read for a row, such as the members of a correlation.
    var related: [Int32: any Sendable] = [:]
    var payloads: [Int32: any SamplePayload] = [:]
  }

  init(
    _ block: Block, _ type: HKSampleType, _ reader: RowReader,
    snapshot: (@Sendable () -> Snapshot)? = nil
  ) {
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

  /// Returns the quantity in `unit(at:)`, or the category value, or 0 for types with neither.
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
      return try reader.metadata(of: Row(block, Int(row)))
    } catch {
      if block.metadata(at: Int(row)).isPlainText { return nil }
      // Decoding fails only if the row check accepted an invalid row. That is a bug, so trap.
      fatalError("The metadata of the sample \(uuid(at: row)) was not checked: \(error).")
    }
  }

  /// Returns the payload of a row whose family requires one.
  func payload<Payload: SamplePayload>(_ type: Payload.Type, at row: Int32) -> Payload {
    guard let payload = payload(anyOf: type, at: row) as? Payload else {
      // Decoding fails only if the row check accepted an invalid row. That is a bug, so trap.
      fatalError("The payload of the sample \(uuid(at: row)) was not checked.")
    }
    return payload
  }

  /// Returns a row's payload of a type, or nil if it has none of that type.
  func payload(anyOf type: any SamplePayload.Type, at row: Int32) -> (any SamplePayload)? {
    if block.extras[Int(row)] == 0 { return nil }
    return contents.withLock { contents in
      if let known = contents.payloads[row] { return known }
      let payload = type.init(Extras(block.extras(at: Int(row))))
      contents.payloads[row] = payload
      return payload
    }
  }

  /// Replaces the payload that a row was saved with.
  func replace(_ payload: any SamplePayload, at row: Int32) {
    contents.withLock { $0.payloads[row] = payload }
  }

  /// Returns the objects that were read for a row, or nil if none were.
  func related(at row: Int32) -> (any Sendable)? { contents.withLock { $0.related[row] } }

  /// Keeps the objects that were read for a row.
  func keep(_ objects: any Sendable, relatedTo row: Int32) {
    contents.withLock { $0.related[row] = objects }
  }

  /// Returns whether a correlation contains the row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a correlation cannot be read.
  func isCorrelated(at row: Int32) throws -> Bool {
    guard let extras = Extras(block.extras(at: Int(row))), !extras.memberOf.isEmpty else {
      return false
    }
    guard let snapshot = snapshot?() else { return true }
    return try extras.memberOf.contains { id in
      try snapshot.row(id).map { reader.type(of: $0) is HKCorrelationType } ?? false
    }
  }
}
