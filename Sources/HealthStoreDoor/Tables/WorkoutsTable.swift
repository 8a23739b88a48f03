import Foundation
import HealthStore
import SampleLog

/// The table `workouts`, with the summary of each workout in fixed units.
struct WorkoutsTable: ListTable {
  let name = "workouts"
  let columns = [
    Column("subject", .text), Column("uuid", .text, ignoresCase: true), Column("activity", .text),
    Column("start", .real), Column("end", .real), Column("duration", .real),
    Column("energy", .real), Column("distance", .real), Column("average_heart_rate", .real),
    Column("maximum_heart_rate", .real), Column("flights", .real), Column("strokes", .real),
    Column("source", .text), Column("metadata", .text), Column("details", .text),
  ]

  func list(
    _ request: CursorRequest, subjects: Set<String>?, _ store: Store, _ snapshot: Snapshot
  ) throws -> List {
    var found: [(subject: String, row: Row, workout: HKWorkout)] = []
    let objects = StoredObjects(store.reader, snapshot)
    let series = store.series(of: subjects, snapshot) { store.reader.type($0) is HKWorkoutType }
    for (subject, key) in series {
      try snapshot.stream([key]) { rows in
        for row in rows {
          if let workout = try objects.sample(of: row) as? HKWorkout {
            found.append((subject, row, workout))
          }
        }
        return true
      }
    }
    let figures = found.map { WorkoutFigures($0.workout) }
    func numbers(_ name: (WorkoutFigures) -> HKQuantity?, _ unit: String) -> Cells {
      let unit = HKUnit(from: unit)
      return .real(figures.map { name($0)?.number(in: unit) })
    }
    return List(columns: [
      .text(found.map(\.subject)), .text(found.map { "\($0.row.id)" }),
      .text(figures.map(\.activity)), .date(found.map(\.row.start)), .date(found.map(\.row.end)),
      .real(figures.map(\.activeSeconds)), numbers(\.energy, "kcal"), numbers(\.distance, "m"),
      numbers(\.averageHeartRate, "count/min"), numbers(\.maximumHeartRate, "count/min"),
      numbers(\.flights, "count"), numbers(\.strokes, "count"),
      .text(found.map { store.reader.sourceName($0.row.block.source[$0.row.row]) }),
      .text(try found.map { try store.reader.metadataText(of: $0.row, in: snapshot) }),
      .text(figures.map(\.object.text)),
    ])
  }
}
