import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// A sample of a batch, converted to rows.
struct ReceivedSample {
  var row: StoredSample
  var payload: (any SamplePayload)?
  /// The objects of a correlation.
  var members: [Member] = []
  /// The workouts that it belongs to.
  var workouts: [UUID] = []
  private var children: [any ChildPayload] = []
  private var efforts: [WorkoutEffortPayload] = []
  private let metadata: [UInt8]

  var id: UUID { row.uuid }
  var type: String { row.type }
  var start: Date { Date(timeIntervalSinceReferenceDate: row.start) }
  var end: Date { Date(timeIntervalSinceReferenceDate: row.end) }

  init(_ sample: TransferSample) {
    row = StoredSample(
      uuid: sample.id, type: sample.type, start: sample.start, end: sample.end, value: 0)
    row.source = sample.source
    row.device = sample.device ?? []
    metadata = sample.metadata
  }

  /// Adds the parts of the sample, which must match its payload.
  mutating func take(_ sample: TransferSample) throws(HKInvalidSampleError) {
    let series = payload as? any SeriesPayload
    var points = 0
    for part in sample.parts {
      switch part {
      case .points(let width, let numbers):
        guard let series, points == 0 else {
          throw sample.invalid("it has points, but is no series.")
        }
        points = numbers.count / width
        children += try chunks(series, width, numbers, sample) as [any ChildPayload]
      case .links(let bytes):
        children.append(try decoded(WorkoutLinksPayload.self, bytes, sample))
      case .effort(let bytes):
        efforts.append(try decoded(WorkoutEffortPayload.self, bytes, sample))
      case .workouts(let ids):
        guard payload is WorkoutRoutePayload else {
          throw sample.invalid("it has workouts, but is no route.")
        }
        workouts = ids
      }
    }
    if points != series?.count ?? 0 {
      throw sample.invalid("points are missing, or there are too many.")
    }
  }

  private func decoded<Payload: ChildPayload>(
    _ type: Payload.Type, _ bytes: [UInt8], _ sample: TransferSample
  ) throws(HKInvalidSampleError) -> Payload {
    guard payload is WorkoutPayload else {
      throw sample.invalid("it has parts, but is no workout.")
    }
    guard let part = bytes.withUnsafeBytes({ Payload($0) }) else {
      throw sample.invalid("its parts make no sense.")
    }
    return part
  }

  private func chunks(
    _ series: any SeriesPayload, _ width: Int, _ numbers: [Double], _ sample: TransferSample
  ) throws(HKInvalidSampleError) -> [PointChunk] {
    let layout = Swift.type(of: series).layout
    guard width == layout.width, layout.admits(numbers, from: sample.start, to: sample.end) else {
      throw sample.invalid("its points make no sense.")
    }
    return PointChunk.chunks(
      layout,
      columns: (0..<width).map { column in
        stride(from: column, to: numbers.count, by: width).map { numbers[$0] }
      })
  }

  /// Adds the rows to a commit.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the store cannot represent them; in that case, nothing
  ///   is added.
  func add(
    to writer: inout RowWriter, memberOf: [Identifier]
  ) throws(HKInvalidSampleError) {
    var extras = Extras()
    extras.metadata = metadata
    extras.memberOf = memberOf
    payload?.add(to: &extras)
    var row = row
    row.extras = extras.encoded
    try writer.add(row)
    let parent = Identifier(id)
    writer.add(children, parent: parent, of: type, start: start, end: end)
    writer.add(efforts: efforts, parent: parent, of: type, start: start, end: end)
  }
}
