import Foundation
import SampleLog

/// Reads the values of quantity samples, one at a time.
///
/// A sample with a single value yields its quantity. For the samples that overlap the next value,
/// the reader holds one chunk each.
struct QuantityValueReader {
  /// A value and the sample that holds it.
  struct Element: Sendable {
    var value: QuantityValue
    var sample: HKQuantitySample

    var quantity: HKQuantity {
      HKQuantity(unit: sample.quantity.unit, doubleValue: value.value)
    }
  }

  /// A sample and its next value.
  private struct Cursor: ListCursor {
    let sample: HKQuantitySample
    let number: Int
    var values: SeriesValues?
    private let own: QuantityValue

    init(_ sample: HKQuantitySample, _ number: Int, _ reader: StoreReader, _ snapshot: Snapshot)
      throws
    {
      self.sample = sample
      self.number = number
      own = QuantityValue(
        value: sample.quantity.value, start: sample.startDate.timeIntervalSinceReferenceDate,
        end: sample.endDate.timeIntervalSinceReferenceDate)
      if sample.seriesPayload != nil {
        values = try SeriesValues(try SeriesReader(sample, reader, in: snapshot))
      }
    }

    var next: QuantityValue { values?.next ?? own }

    mutating func advance() throws -> Bool { try values?.advance() ?? false }

    func precedes(_ other: Cursor) -> Bool {
      (next.start, number) < (other.next.start, other.number)
    }
  }

  private let samples: [HKQuantitySample]
  private let reader: StoreReader
  private let snapshot: Snapshot
  private let isOrderedBySample: Bool
  private var upcoming = 0
  private var open = CursorHeap<Cursor>()

  /// Creates a reader for the values of the samples that a plan selects in a snapshot.
  init(
    _ plan: QueryPlan, _ reader: StoreReader, isOrderedBySample: Bool
  ) throws {
    try reader.check()
    snapshot = reader.store.database.snapshot()
    samples = try reader.samples(
      plan, order: SampleOrder(), limit: HKObjectQueryNoLimit, in: snapshot)
    self.reader = reader
    self.isOrderedBySample = isOrderedBySample
  }

  /// Returns the next value, or nil after the last.
  ///
  /// - Throws: The errors of ``SeriesReader``.
  mutating func next() throws -> Element? {
    while upcoming < samples.count {
      if let first = open.first {
        let start = samples[upcoming].startDate.timeIntervalSinceReferenceDate
        if isOrderedBySample || start > first.next.start { break }
      }
      open.insert(try Cursor(samples[upcoming], upcoming, reader, snapshot))
      upcoming += 1
    }
    guard let first = open.first else { return nil }
    let element = Element(value: first.next, sample: first.sample)
    try open.advance()
    return element
  }
}
