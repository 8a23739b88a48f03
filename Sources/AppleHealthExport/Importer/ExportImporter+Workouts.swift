import Foundation
import HealthStore
import SampleLog

// Imports workouts.
extension ExportImporter {
  /// Imports a workout and its routes.
  ///
  /// A part that cannot be stored is skipped and reported in the summary; the other parts are kept.
  func take(_ workout: ExportWorkout, at offset: Int64) {
    let type = HKObjectType.workoutType().identifier
    let keptAsText = converter.keptAsText
    do throws(ImportRejection) {
      var sample = try converter.sample(
        type, workout.startDate, workout.endDate, 0, nil, workout.origin, workout.metadata)
      guard sample.start <= sample.end else {
        throw ImportRejection(
          problem: .unstorable(
            type: type, reason: HKInvalidSampleError.endBeforeStart(type: type).description))
      }
      let activityType = HKWorkoutActivityType(exportName: workout.activityType)
      if activityType == nil {
        guard workout.activityType.utf8.count <= NameAllowance.longestType else {
          throw ImportRejection(problem: .nameTooLong(type: type, what: "activity"))
        }
        sample.metadata[RecordConverter.activityNameKey] = workout.activityType
      }
      sample.value = Double((activityType ?? .other).rawValue)
      let earlier = identities.earlier?.content(of: workout)
      guard place(&sample, contents(of: sample, .none, earlier: earlier), accepting: least) else {
        return postpone(.workout(workout), at: offset, keptAsText)
      }
      let uuid = sample.uuid
      if activityType == nil { summary.noteUnknown(workout.activityType, at: offset) }
      let known = ImportedWorkout(
        uuid: uuid, start: sample.start, end: sample.end, activityType: activityType ?? .other)
      let rated =
        identities.earlier == nil || !workout.hasEfforts
        ? [] : reading([]) { try writer.efforts(ofWorkout: uuid) }
      var container = EffortContainer(rated.filter { $0.activity == nil }.map(\.row))
      for effort in workout.efforts {
        if let rating = self.effort(effort, in: &container, at: offset) {
          sample.efforts.append((rating, nil))
        }
      }
      sample.payload = contents(of: workout, known, rated, &sample.efforts, at: offset)
      let routes = workout.routes.compactMap { route($0, of: uuid, at: offset) }
      sample.linked = routes
      add(sample, at: offset)
      for route in routes { add(route, at: offset) }
    } catch {
      summary.note(error.problem, at: offset)
    }
  }

  private func contents(
    of workout: ExportWorkout, _ known: ImportedWorkout,
    _ rated: [(row: Row, activity: Identifier?)],
    _ efforts: inout [(sample: IncomingSample, activity: UUID?)], at offset: Int64
  ) -> any SamplePayload {
    var result = known
    // A quantity in an incompatible unit is skipped, like any other invalid part.
    func quantity(_ read: ExportQuantity?, _ what: String, _ unit: HKUnit) -> HKQuantity? {
      guard let read else { return nil }
      if let quantity = Self.quantity(read, unit) { return quantity }
      summary.note(
        read.value.isFinite
          ? .unusableUnit(type: what, unit: read.unit ?? "") : .invalidNumber(type: what),
        at: offset)
      return nil
    }
    func seconds(_ read: ExportQuantity?, of what: String) -> TimeInterval? {
      guard let found = quantity(read, what, .second())?.doubleValue(for: .second()) else {
        return nil
      }
      if found >= 0, found.isFinite { return found }
      summary.note(.invalidNumber(type: what), at: offset)
      return nil
    }
    result.duration = seconds(workout.duration, of: "HKWorkout")
    func events(_ all: [ExportWorkoutEvent]) -> [HKWorkoutEvent] {
      var found: [HKWorkoutEvent] = []
      for event in all {
        note(at: offset) { () throws(ImportRejection) in
          let duration = seconds(event.duration, of: "HKWorkoutEvent")
          found.append(try converter.event(event, duration ?? 0))
        }
      }
      return found
    }
    result.events = events(workout.events)
    // The store keeps all events in the workout; the events of an activity are those during it.
    let inside = events(workout.activities.flatMap(\.events))
    if !inside.isEmpty {
      var known = Set(result.events.map(\.key))
      result.events += inside.filter { known.insert($0.key).inserted }
    }
    func statistics(_ all: [ExportWorkoutStatistics]) -> [ImportedWorkout.Statistic] {
      var known: [String: ExportWorkoutStatistics] = [:]
      var found: [ImportedWorkout.Statistic] = []
      for statistics in all {
        note(at: offset) { () throws(ImportRejection) in
          // Two averages cannot be combined without their weights.
          if let first = known[statistics.type] {
            if first == statistics { return }
            throw ImportRejection(
              problem: .repeated(type: "HKWorkout", what: "statistics of \(statistics.type)"))
          }
          known[statistics.type] = statistics
          found.append(try converter.statistic(statistics))
        }
      }
      return found
    }
    for activity in workout.activities {
      let metadata = converter.metadata(activity.metadata, of: "HKWorkoutActivity")
      let statistics = statistics(activity.statistics)
      var id: UUID?
      note(at: offset) { () throws(ImportRejection) in
        do throws(HKInvalidSampleError) {
          id = try result.addActivity(
            activity.uuid, start: activity.startDate, end: activity.endDate, metadata: metadata,
            statistics: statistics)
        } catch {
          throw ImportRejection(
            problem: .unstorable(type: "HKWorkoutActivity", reason: error.description))
        }
      }
      var container = EffortContainer(
        rated.filter { id != nil && $0.activity?.uuid == id }.map(\.row))
      for record in activity.efforts {
        if let rating = effort(record, in: &container, at: offset) {
          efforts.append((rating, id))
        }
      }
    }
    result.statistics = statistics(workout.statistics)
    result.energyBurned = quantity(workout.totalEnergyBurned, "HKWorkout", .joule())
    result.distance = quantity(workout.totalDistance, "HKWorkout", .meter())
    return result.payload
  }

  /// Runs `body`, and reports a rejection in the summary.
  func note(at offset: Int64, _ body: () throws(ImportRejection) -> Void) {
    do throws(ImportRejection) {
      try body()
    } catch {
      summary.note(error.problem, at: offset)
    }
  }

  /// Converts a quantity; nil if it is not finite or its unit is incompatible with `unit`.
  private static func quantity(_ read: ExportQuantity, _ unit: HKUnit) -> HKQuantity? {
    guard read.value.isFinite else { return nil }
    // Old exports write durations in minutes without a unit; nothing else lacks a unit.
    let name = read.unit ?? "min"
    guard name.utf8.count <= NameAllowance.longestUnit, let own = try? HKUnit.parse(name) else {
      return nil
    }
    let quantity = HKQuantity(unit: own, doubleValue: read.value)
    return quantity.is(compatibleWith: unit) ? quantity : nil
  }
}

extension ExportWorkout {
  fileprivate var hasEfforts: Bool {
    !efforts.isEmpty || activities.contains { !$0.efforts.isEmpty }
  }
}

extension HKWorkoutEvent {
  /// The key that identifies an event within its workout.
  fileprivate var key: [Double] {
    [
      Double(type.rawValue), dateInterval.start.timeIntervalSinceReferenceDate,
      dateInterval.duration,
    ]
  }
}

extension RecordConverter {
  private static let eventTypes: [String: HKWorkoutEventType] = [
    "Pause": .pause, "Resume": .resume, "Lap": .lap, "Marker": .marker,
    "MotionPaused": .motionPaused, "MotionResumed": .motionResumed, "Segment": .segment,
    "PauseOrResumeRequest": .pauseOrResumeRequest,
  ]

  /// Returns the name of an event type in exports.
  static func name(of type: HKWorkoutEventType) -> String {
    let name = eventTypes.first { $0.value == type }?.key
    return "HKWorkoutEventType" + (name ?? "Marker")
  }

  fileprivate mutating func event(
    _ event: ExportWorkoutEvent, _ duration: TimeInterval
  ) throws(ImportRejection) -> HKWorkoutEvent {
    let prefix = "HKWorkoutEventType"
    guard event.type.hasPrefix(prefix),
      let type = Self.eventTypes[String(event.type.dropFirst(prefix.count))]
    else {
      throw ImportRejection(problem: .unknownValue(type: "HKWorkoutEvent", value: event.type))
    }
    let metadata = metadata(event.metadata, of: "HKWorkoutEvent")
    do throws(HKInvalidSampleError) {
      return try HKWorkoutEvent.validated(
        type: type, dateInterval: DateInterval(start: event.date, duration: duration),
        metadata: metadata.isEmpty ? nil : metadata)
    } catch {
      throw ImportRejection(
        problem: .unstorable(type: "HKWorkoutEvent", reason: error.description))
    }
  }

  /// Converts the statistics of one sample type.
  fileprivate mutating func statistic(
    _ read: ExportWorkoutStatistics
  ) throws(ImportRejection) -> ImportedWorkout.Statistic {
    guard let type = type(read.type) as? HKQuantityType else {
      throw ImportRejection(problem: .unknownType(read.type))
    }
    let unit = try unit(read.unit ?? "", of: type)
    for value in [read.sum, read.average, read.minimum, read.maximum] {
      guard value?.isFinite ?? true else {
        throw ImportRejection(problem: .invalidNumber(type: read.type))
      }
    }
    return ImportedWorkout.Statistic(
      type, unit, sum: read.sum, average: read.average, minimum: read.minimum,
      maximum: read.maximum)
  }
}
