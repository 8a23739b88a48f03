import Foundation
import HealthStore

/// The summary of a workout, identical in every output format.
struct WorkoutFigures {
  /// A part of a workout, such as an activity, lap, segment or pause.
  struct Part {
    /// The kind of part: `activity`, or the type of an event, such as `lap`.
    var kind: String
    /// The name of the activity, such as `swimming`, or an empty string for an event.
    var activity = ""
    var start: Date
    var end: Date
    /// The duration excluding pauses, in seconds.
    var activeSeconds: Double
    var statistics: [HKStatistics] = []
  }

  let start: Date
  /// The activity's name, such as `running`.
  let activity: String
  /// The duration excluding pauses, in seconds.
  let activeSeconds: Double
  /// The time from start to end, in seconds.
  let elapsedSeconds: Double
  let energy: HKQuantity?
  let distance: HKQuantity?
  let averageHeartRate: HKQuantity?
  let maximumHeartRate: HKQuantity?
  let flights: HKQuantity?
  let strokes: HKQuantity?
  /// The statistics, sorted by type identifier.
  let statistics: [HKStatistics]
  /// The parts in ascending order of start, omitting an activity that only repeats the workout.
  let parts: [Part]

  init(_ workout: HKWorkout) {
    start = workout.startDate
    activity = workout.workoutActivityType.shortName
    activeSeconds = workout.duration
    elapsedSeconds = workout.endDate.timeIntervalSince(workout.startDate)
    statistics = Self.sorted(workout.allStatistics)
    func sum(_ types: HKQuantityTypeIdentifier...) -> HKQuantity? {
      let sums = types.compactMap { workout.statistics(for: HKQuantityType($0))?.sumQuantity() }
      guard let first = sums.first else { return nil }
      return HKQuantity(
        unit: first.unit, doubleValue: sums.reduce(0) { $0 + $1.doubleValue(for: first.unit) })
    }
    energy = workout.totalEnergyBurned ?? sum(.activeEnergyBurned)
    distance =
      workout.totalDistance
      ?? sum(
        .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceWheelchair,
        .distanceDownhillSnowSports, .distanceCrossCountrySkiing, .distancePaddleSports,
        .distanceRowing, .distanceSkatingSports)
    flights = workout.totalFlightsClimbed ?? sum(.flightsClimbed)
    strokes = workout.totalSwimmingStrokeCount ?? sum(.swimmingStrokeCount)
    let rates = workout.statistics(for: HKQuantityType(.heartRate))
    averageHeartRate = rates?.averageQuantity()
    maximumHeartRate = rates?.maximumQuantity()
    parts = Self.parts(of: workout)
  }

  private static func sorted(_ statistics: [HKQuantityType: HKStatistics]) -> [HKStatistics] {
    statistics.values.sorted { $0.quantityType.identifier < $1.quantityType.identifier }
  }

  private static func parts(of workout: HKWorkout) -> [Part] {
    var activities = workout.workoutActivities
    if activities.count == 1, repeats(activities[0], workout) { activities = [] }
    let pauses = TimeSet(workout.pauses.map(\.seconds))
    func activeSeconds(from start: Date, to end: Date) -> Double {
      TimeSet([
        start.timeIntervalSinceReferenceDate..<max(start, end).timeIntervalSinceReferenceDate
      ]).subtracting(pauses).seconds
    }
    var parts = activities.map { activity in
      let end = activity.endDate ?? workout.endDate
      return Part(
        kind: "activity", activity: activity.workoutConfiguration.activityType.shortName,
        start: activity.startDate, end: end,
        activeSeconds: activity.endDate == nil
          ? activeSeconds(from: activity.startDate, to: end) : activity.duration,
        statistics: sorted(activity.allStatistics))
    }
    parts += (workout.workoutEvents ?? []).map { event in
      Part(
        kind: "\(event.type)", start: event.dateInterval.start, end: event.dateInterval.end,
        activeSeconds: activeSeconds(from: event.dateInterval.start, to: event.dateInterval.end))
    }
    // A stable sort: parts with equal starts keep their stored order.
    return parts.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
  }

  /// Returns whether an activity has the dates, type and statistics of its workout.
  private static func repeats(_ activity: HKWorkoutActivity, _ workout: HKWorkout) -> Bool {
    activity.startDate == workout.startDate
      && activity.endDate ?? workout.endDate == workout.endDate
      && activity.workoutConfiguration.activityType == workout.workoutActivityType
      && activity.allStatistics.allSatisfy { type, statistics in
        guard let whole = workout.statistics(for: type) else { return false }
        return zip(statistics.named, whole.named).allSatisfy { $0.quantity == $1.quantity }
      }
  }

  /// The summary for a table: `28.5 of 30 min, 420 kcal, 5.2 km, 150 to 171 beats/min`.
  var text: String {
    func number(_ quantity: HKQuantity?, _ unit: String) -> String? {
      quantity?.number(in: HKUnit(from: unit)).map(Figures.short)
    }
    var parts = [
      "\(Figures.short(activeSeconds / 60)) of \(Figures.short(elapsedSeconds / 60)) min"
    ]
    if let energy = number(energy, "kcal") { parts.append("\(energy) kcal") }
    if let distance = number(distance, "km") { parts.append("\(distance) km") }
    let rates = [averageHeartRate, maximumHeartRate].compactMap { number($0, "count/min") }
    if !rates.isEmpty { parts.append("\(rates.joined(separator: " to ")) beats/min") }
    return parts.joined(separator: ", ")
  }

  /// The summary as a JSON object.
  var object: JSONObject {
    var object = JSONObject()
    object.add("activity", activity)
    object.add("duration", seconds: activeSeconds)
    object.add("elapsed", seconds: elapsedSeconds)
    for (name, quantity) in [
      ("energy", energy), ("distance", distance), ("averageHeartRate", averageHeartRate),
      ("maximumHeartRate", maximumHeartRate), ("flights", flights), ("strokes", strokes),
    ] {
      object.add(ifAny: name, quantity)
    }
    if !statistics.isEmpty { object.add("statistics", statistics.map(Self.object)) }
    if !parts.isEmpty {
      object.add(
        "parts",
        parts.map { part in
          var object = JSONObject()
          object.add("kind", part.kind)
          object.add(ifAny: "activity", part.activity)
          object.add("start", UTCText.text(part.start.timeIntervalSinceReferenceDate))
          object.add("end", UTCText.text(part.end.timeIntervalSinceReferenceDate))
          object.add("duration", seconds: part.activeSeconds)
          if !part.statistics.isEmpty {
            object.add("statistics", part.statistics.map(Self.object))
          }
          return object
        })
    }
    return object
  }

  private static func object(_ statistics: HKStatistics) -> JSONObject {
    var object = JSONObject()
    object.add("type", statistics.quantityType.shortName)
    for (name, quantity) in statistics.named { object.add(ifAny: name, quantity) }
    return object
  }
}

extension HKQuantity {
  /// Returns the number in a unit, or nil if it is not finite or the unit is incompatible.
  ///
  /// A converted number is rounded to 15 significant digits.
  func number(in unit: HKUnit) -> Double? {
    guard let conversion = self.unit.conversion(to: unit) else { return nil }
    let number =
      conversion.isIdentity ? value : Figures.rounded(conversion(value), digits: 15)
    return number.isFinite ? number : nil
  }
}

extension HKStatistics {
  /// The sum, average, minimum and maximum, each nil if it was not computed.
  var named: [(name: String, quantity: HKQuantity?)] {
    [
      ("sum", sumQuantity()), ("average", averageQuantity()), ("minimum", minimumQuantity()),
      ("maximum", maximumQuantity()),
    ]
  }
}

extension HKWorkoutActivityType {
  /// The name of the case in Swift, such as `running`.
  var shortName: String { exportName.dropFirst("HKWorkoutActivityType".count).decapitalized }
}

extension Substring {
  fileprivate var decapitalized: String { prefix(1).lowercased() + dropFirst() }
}

extension JSONObject {
  /// Adds a quantity with its unit, unless it is nil.
  mutating func add(ifAny key: String, _ quantity: HKQuantity?) {
    guard let quantity else { return }
    var object = JSONObject()
    object.add("value", quantity.value)
    object.add("unit", quantity.unit.unitString)
    add(key, object)
  }

  /// Adds a duration in seconds.
  mutating func add(_ key: String, seconds: Double) {
    add(ifAny: key, HKQuantity(unit: .second(), doubleValue: seconds))
  }
}
