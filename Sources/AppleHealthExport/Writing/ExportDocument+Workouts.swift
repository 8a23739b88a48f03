import Foundation
import HealthStore

// The elements of workouts, characteristics and activity summaries.
extension ExportDocument {
  /// Writes a workout with its parts and with references to the files of its routes.
  func writeWorkout(_ workout: HKWorkout, _ object: StoredObject, _ type: String) throws {
    var metadata = try objects.metadata(of: object)
    let name = metadata.removeValue(forKey: RecordConverter.activityNameKey) as? String
    markup.raw(" <Workout")
    markup.attribute("workoutActivityType", name ?? workout.workoutActivityType.exportName)
    markup.attribute("duration", number: workout.duration / 60)
    markup.attribute("durationUnit", "min")
    let (distance, energy) = (workout.totalDistance?.texts, workout.totalEnergyBurned?.texts)
    markup.attribute("totalDistance", distance?.number)
    markup.attribute("totalDistanceUnit", distance?.unit)
    markup.attribute("totalEnergyBurned", energy?.number)
    markup.attribute("totalEnergyBurnedUnit", energy?.unit)
    writeOrigin(object)
    writeDates(object)
    note(.links)
    endStartTag(object, type: type)
    writeMetadata(metadata)
    for event in workout.workoutEvents ?? [] { write(event) }
    let efforts = try objects.efforts(of: object)
    for activity in workout.workoutActivities {
      try write(activity, efforts: efforts.filter { $0.activity == activity.uuid }.map(\.sample))
    }
    write(workout.allStatistics)
    try write(efforts: efforts.filter { $0.activity == nil }.map(\.sample))
    for route in routes[object.uuid] ?? [] { try write(route) }
    markup.raw(" </Workout>\n")
    note(written: type)
    try writeChildren(of: object)
  }

  private func writeEnd(of element: StaticString, _ metadata: [String: Any]?) {
    guard let metadata, !metadata.isEmpty else { return markup.raw("/>\n") }
    markup.raw(">\n")
    writeMetadata(metadata)
    markup.raw("  </")
    markup.raw(element)
    markup.raw(">\n")
  }

  private func date(_ date: Date) -> DateText { DateText(date.timeIntervalSinceReferenceDate) }

  private func write(_ event: HKWorkoutEvent) {
    markup.raw("  <WorkoutEvent")
    markup.attribute("type", RecordConverter.name(of: event.type))
    markup.attribute("date", date: date(event.dateInterval.start))
    if event.dateInterval.duration > 0 {
      markup.attribute("duration", number: event.dateInterval.duration / 60)
      markup.attribute("durationUnit", "min")
    }
    writeEnd(of: "WorkoutEvent", event.metadata)
  }

  /// Writes effort scores, which also appear at top level.
  private func write(efforts: [UUID]) throws {
    for effort in efforts {
      // An unreadable score is reported where it appears at top level.
      guard let object = try objects.object(effort), let sample = object.sample else { continue }
      try writeRecordElement(object, sample.sampleType.identifier, isMember: true)
    }
  }

  private func write(_ all: [HKQuantityType: HKStatistics]) {
    for (_, statistics) in all.sorted(by: { $0.key.identifier < $1.key.identifier }) {
      write(statistics)
    }
  }

  private func write(_ activity: HKWorkoutActivity, efforts: [UUID]) throws {
    markup.raw("  <WorkoutActivity")
    markup.attribute("uuid", activity.uuid.uuidString)
    markup.attribute("startDate", date: date(activity.startDate))
    markup.attribute("endDate", activity.endDate.map { date($0).text })
    markup.attribute("duration", number: activity.duration / 60)
    markup.attribute("durationUnit", "min")
    let statistics = activity.allStatistics
    if statistics.isEmpty, efforts.isEmpty {
      return writeEnd(of: "WorkoutActivity", activity.metadata)
    }
    markup.raw(">\n")
    write(statistics)
    writeMetadata(activity.metadata ?? [:])
    try write(efforts: efforts)
    markup.raw("  </WorkoutActivity>\n")
  }

  private func write(_ statistics: HKStatistics) {
    let quantities: [(StaticString, HKQuantity?)] = [
      ("average", statistics.averageQuantity()), ("minimum", statistics.minimumQuantity()),
      ("maximum", statistics.maximumQuantity()), ("sum", statistics.sumQuantity()),
    ]
    markup.raw("  <WorkoutStatistics")
    markup.attribute("type", statistics.quantityType.identifier)
    markup.attribute("startDate", date: date(statistics.startDate))
    markup.attribute("endDate", date: date(statistics.endDate))
    for (name, quantity) in quantities { markup.attribute(name, quantity?.texts.number) }
    markup.attribute("unit", quantities.lazy.compactMap { $0.1?.texts.unit }.first)
    markup.raw("/>\n")
  }

  private func write(_ route: RouteReference) throws {
    guard let object = try objects.object(route.uuid) else { return }
    markup.raw("  <WorkoutRoute")
    writeOrigin(object)
    writeDates(object)
    markup.raw(">\n")
    writeMetadata(try objects.metadata(of: object))
    markup.raw("   <FileReference")
    markup.attribute("path", "/" + route.file)
    markup.raw("/>\n  </WorkoutRoute>\n")
  }

  /// Writes the characteristics of the subject, and counts the settings that Apple's format cannot
  /// represent.
  func writeCharacteristics(of store: HKHealthStore, _ settings: [StoredSetting]) throws {
    let values = try ExportCharacteristics.texts(of: store)
    markup.raw(" <Me")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      markup.attribute(named: name, value)
    }
    markup.raw("/>\n")
    // Stored days are written as activity summaries.
    note(
      .settings,
      count: settings.count {
        values[$0.name] == nil && $0.name != "activity" && !$0.name.hasPrefix("activity/")
      })
  }

  func writeActivitySummaries(of store: HKHealthStore) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for summary in try store.storedActivitySummaries() {
      let day = summary.dateComponents(for: calendar)
      guard let year = day.year, let month = day.month, let number = day.day else { continue }
      func text(_ value: Int, _ count: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
      }
      let set = summary.fields.reduce(into: [String: HKQuantity]()) { $0[$1.name] = $1.quantity }
      // One attribute holds the unit of both energies.
      let energy =
        (set["activeEnergyBurned"] ?? set["activeEnergyBurnedGoal"])?.unit ?? .kilocalorie()
      let values: [(StaticString, String, HKUnit)] = [
        ("activeEnergyBurned", "activeEnergyBurned", energy),
        ("activeEnergyBurnedGoal", "activeEnergyBurnedGoal", energy),
        ("appleMoveTime", "appleMoveTime", .minute()),
        ("appleMoveTimeGoal", "appleMoveTimeGoal", .minute()),
        ("appleExerciseTime", "appleExerciseTime", .minute()),
        ("appleExerciseTimeGoal", "exerciseTimeGoal", .minute()),
        ("appleStandHours", "appleStandHours", .count()),
        ("appleStandHoursGoal", "standHoursGoal", .count()),
      ]
      markup.raw(" <ActivitySummary")
      markup.attribute("dateComponents", "\(text(year, 4))-\(text(month, 2))-\(text(number, 2))")
      for (name, field, unit) in values {
        markup.attribute(name, number: set[field]?.doubleValue(for: unit))
      }
      markup.attribute("activeEnergyBurnedUnit", energy.unitString)
      // An export that is not plain contains them as settings.
      if options.isPlain, summary.activityMoveMode != .activeEnergy || summary.isPaused {
        note(.activityModes)
      }
      markup.raw("/>\n")
      try flushIfFull()
    }
  }
}
