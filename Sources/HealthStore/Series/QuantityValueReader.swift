import Foundation
import SampleLog

/// Reads the values that quantity samples stand for, one by one.
///
/// A sample of one value is its own. Of the samples that overlap the next value it holds one chunk
/// each.
struct QuantityValueReader {
  /// A value and the sample that stands for it.
  struct Element: Sendable {
    var value: QuantityValue
    var sample: HKQuantitySample

    var quantity: HKQuantity {
      HKQuantity(unit: sample.quantity.unit, doubleValue: value.value)
    }
  }

  /// Where a sample's next value is.
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

  /// Reads the values of the samples that a plan finds in a snapshot.
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

  /// Reads the next value; `nil` after the last.
  ///
  /// - Throws: What ``SeriesReader`` throws.
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
