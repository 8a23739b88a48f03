import Foundation
import HealthStore

extension PeerSession {
  /// Reads every heart rate sample as an object, in order of start, and reads its properties.
  func scanObjects() throws -> Measurement {
    guard let peer = try peer() as? HealthStorePeer else {
      throw BenchmarkError.failed("only our store has objects.")
    }
    let unit = try HKUnit.parse(StreamNames.units[0])
    var expected = Digest()
    try peer.rows(
      of: StreamSeries(subject: 0, type: .heartRate), in: 0..<Int64.max / 2, into: &expected)
    var rates: [Double] = []
    let store = HKHealthStore(database: peer.database, subject: "person 0")
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
      sortDescriptors: [SortDescriptor(\.startDate, order: .forward)])
    let digest = try repeated(plan.repetitions, scenario: .scanObjects) { digest in
      let watch = Stopwatch()
      let samples = try blocking { try await descriptor.result(for: store) }
      for sample in samples {
        digest.add(
          sample.uuid, start: sample.startDate, value: sample.quantity.doubleValue(for: unit))
      }
      rates.append(Double(samples.count) / watch.seconds)
    }
    guard digest.count == expected.count else {
      throw BenchmarkError.wrongAnswer(
        peer: kind.name, scenario: "scan-objects",
        problem: "\(digest.count) objects of \(expected.count) rows.")
    }
    return Measurement("scan of heart rate as objects", "objects/s", .more, rates, digest)
  }
}
