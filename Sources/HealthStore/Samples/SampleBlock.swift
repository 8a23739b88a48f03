import Foundation

/// A decoded block of rows that samples are thin views of.
///
/// The storage layer subclasses it over the engine's blocks. A block holds rows of one type; it is
/// immutable once made, and every accessor must be safe to call from any thread.
class SampleBlock: @unchecked Sendable {
  /// The type of every row.
  final let sampleType: HKSampleType
  /// The class that a row becomes, worked out once per block.
  final let kind: SampleKind

  init(sampleType: HKSampleType) {
    self.sampleType = sampleType
    kind = SampleKind(of: sampleType)
  }

  func uuid(at row: Int32) -> UUID { Self.mustOverride() }
  func startDate(at row: Int32) -> Date { Self.mustOverride() }
  func endDate(at row: Int32) -> Date { Self.mustOverride() }
  /// The quantity in `unit(at:)`, or the category value; 0 for types with neither.
  func value(at row: Int32) -> Double { Self.mustOverride() }
  func unit(at row: Int32) -> HKUnit { Self.mustOverride() }
  func sourceRevision(at row: Int32) -> HKSourceRevision { Self.mustOverride() }
  func device(at row: Int32) -> HKDevice? { nil }
  func metadata(at row: Int32) -> [String: Any]? { nil }
  /// How many values a quantity row stands for.
  func count(at row: Int32) -> Int { 1 }
  /// The objects that a correlation row contains.
  func objects(at row: Int32) -> Set<HKSample> { [] }
  /// Whether a correlation contains the row.
  func isCorrelated(at row: Int32) throws -> Bool { false }

  private static func mustOverride() -> Never {
    fatalError("\(Self.self) does not implement an accessor that SampleBlock requires.")
  }
}
