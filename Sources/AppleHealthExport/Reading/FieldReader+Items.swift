import Foundation

/// Elements other than records.
extension FieldReader {
  mutating func correlation(_ scanner: inout ExportScanner) -> ExportCorrelation? {
    guard let type = required("type", &scanner), let origin = origin(&scanner),
      let start = date("startDate", &scanner), let end = date("endDate", &scanner)
    else { return nil }
    return ExportCorrelation(type: type, origin: origin, startDate: start, endDate: end)
  }

  mutating func workout(_ scanner: inout ExportScanner) -> ExportWorkout? {
    guard let type = required("workoutActivityType", &scanner), let origin = origin(&scanner),
      let start = date("startDate", &scanner), let end = date("endDate", &scanner)
    else { return nil }
    var workout = ExportWorkout(
      activityType: type, origin: origin, startDate: start, endDate: end)
    workout.duration = quantity("duration", "durationUnit", &scanner)
    workout.totalDistance = quantity("totalDistance", "totalDistanceUnit", &scanner)
    workout.totalEnergyBurned = quantity("totalEnergyBurned", "totalEnergyBurnedUnit", &scanner)
    return workout
  }

  mutating func workoutEvent(_ scanner: inout ExportScanner) -> ExportWorkoutEvent? {
    guard let type = required("type", &scanner), let date = date("date", &scanner) else {
      return nil
    }
    return ExportWorkoutEvent(
      type: type, date: date, duration: quantity("duration", "durationUnit", &scanner))
  }

  mutating func workoutActivity(_ scanner: inout ExportScanner) -> ExportWorkoutActivity? {
    guard let start = date("startDate", &scanner) else { return nil }
    return ExportWorkoutActivity(
      uuid: optionalIdentifier("uuid", &scanner), startDate: start,
      endDate: optionalDate("endDate", &scanner),
      duration: quantity("duration", "durationUnit", &scanner))
  }

  mutating func workoutRoute(_ scanner: inout ExportScanner) -> ExportWorkoutRoute? {
    guard let origin = origin(&scanner), let start = date("startDate", &scanner),
      let end = date("endDate", &scanner)
    else { return nil }
    return ExportWorkoutRoute(origin: origin, startDate: start, endDate: end)
  }

  mutating func workoutStatistics(_ scanner: inout ExportScanner) -> ExportWorkoutStatistics? {
    guard let type = required("type", &scanner), let start = date("startDate", &scanner) else {
      return nil
    }
    // iOS 16 wrote `startDate` twice; the second one is the end date.
    let second = scanner.value("endDate") ?? scanner.secondValue("startDate")
    guard let second else {
      problem = .missingAttribute
      return nil
    }
    guard let end = ExportDateFormat.instant(second) else {
      problem = .invalidDate
      return nil
    }
    return ExportWorkoutStatistics(
      type: type, startDate: start, endDate: end, unit: scanner.string("unit"),
      average: optionalNumber("average", &scanner), minimum: optionalNumber("minimum", &scanner),
      maximum: optionalNumber("maximum", &scanner), sum: optionalNumber("sum", &scanner))
  }

  mutating func location(_ scanner: inout ExportScanner) -> ExportLocation? {
    guard let date = date("date", &scanner), let latitude = number("latitude", &scanner),
      let longitude = number("longitude", &scanner)
    else { return nil }
    return ExportLocation(
      date: date, latitude: latitude, longitude: longitude,
      altitude: optionalNumber("altitude", &scanner),
      horizontalAccuracy: optionalNumber("horizontalAccuracy", &scanner),
      verticalAccuracy: optionalNumber("verticalAccuracy", &scanner),
      course: optionalNumber("course", &scanner), speed: optionalNumber("speed", &scanner))
  }

  /// Reads the activity summary of a day; nil if one of its numbers cannot be parsed.
  ///
  /// A partial summary would lose data, because a stored summary replaces all values computed from
  /// samples.
  mutating func activitySummary(_ scanner: inout ExportScanner) -> ExportActivitySummary? {
    guard let text = required("dateComponents", &scanner) else { return nil }
    var summary = ExportActivitySummary()
    summary.day = ExportDateFormat.day(text)
    if summary.day == nil { problem = problem ?? .invalidDate }
    summary.activeEnergyBurned = optionalNumber("activeEnergyBurned", &scanner)
    summary.activeEnergyBurnedGoal = optionalNumber("activeEnergyBurnedGoal", &scanner)
    summary.energyUnit = scanner.string("activeEnergyBurnedUnit")
    summary.appleMoveTime =
      optionalNumber("appleMoveTime", &scanner) ?? optionalNumber("appleMoveMinutes", &scanner)
    summary.appleMoveTimeGoal =
      optionalNumber("appleMoveTimeGoal", &scanner)
      ?? optionalNumber("appleMoveMinutesGoal", &scanner)
    summary.appleExerciseTime = optionalNumber("appleExerciseTime", &scanner)
    summary.appleExerciseTimeGoal = optionalNumber("appleExerciseTimeGoal", &scanner)
    summary.appleStandHours = optionalNumber("appleStandHours", &scanner)
    summary.appleStandHoursGoal = optionalNumber("appleStandHoursGoal", &scanner)
    return problem == nil ? summary : nil
  }

  mutating func audiogram(_ scanner: inout ExportScanner) -> ExportAudiogram? {
    guard let origin = origin(&scanner), let start = date("startDate", &scanner),
      let end = date("endDate", &scanner)
    else { return nil }
    return ExportAudiogram(
      type: scanner.string("type"), origin: origin, startDate: start, endDate: end)
  }

  mutating func visionPrescription(
    _ scanner: inout ExportScanner
  ) -> ExportVisionPrescription? {
    guard let type = required("type", &scanner), let issued = required("dateIssued", &scanner)
    else { return nil }
    return ExportVisionPrescription(
      type: type, dateIssued: issued, expirationDate: scanner.string("expirationDate"),
      brand: scanner.string("brand"))
  }
}
