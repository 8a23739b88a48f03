/// An element of an export whose parts can be changed.
struct ElementText {
  var name: String
  var attributes: [(name: String, value: String)]
  var children: [ElementText] = []

  init(_ name: String, _ attributes: String, _ children: [ElementText] = []) {
    self.name = name
    self.attributes = attributes.split(separator: "|").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
    self.children = children
  }

  var text: String { startTag + children.map(\.text).joined() + "</\(name)>" }

  var startTag: String {
    "<\(name)\(attributes.map { " \($0.name)=\"\($0.value)\"" }.joined())>"
  }

  /// The element with additional children at a position.
  func with(_ others: ElementText..., at position: Int) -> ElementText {
    var result = self
    result.children.insert(contentsOf: others, at: position)
    return result
  }

  /// The paths of all elements, as positions among children.
  var paths: [[Int]] {
    [[]] + children.enumerated().flatMap { index, child in child.paths.map { [index] + $0 } }
  }

  subscript(path: ArraySlice<Int>) -> ElementText {
    get { path.first.map { children[$0][path.dropFirst()] } ?? self }
    set {
      guard let first = path.first else { return self = newValue }
      children[first][path.dropFirst()] = newValue
    }
  }

  /// The attributes of a minute on a day in March 2024.
  static func dates(_ day: Int) -> String {
    "startDate=2024-03-0\(day) 10:00:00 +0000|endDate=2024-03-0\(day) 10:01:00 +0000"
  }

  private static let origin = "sourceName=Watch|sourceVersion=10|device=name:W, model:M"

  static func heartRate(_ day: Int) -> ElementText {
    ElementText(
      "Record",
      "type=HKQuantityTypeIdentifierHeartRate|\(origin)|unit=count/min|value=6\(day)|\(dates(day))",
      [ElementText("MetadataEntry", "key=own|value=\(day)")])
  }

  static let variability = ElementText(
    "Record",
    "type=HKQuantityTypeIdentifierHeartRateVariabilitySDNN|\(origin)|unit=ms|value=45|\(dates(1))",
    [
      ElementText(
        "HeartRateVariabilityMetadataList", "",
        [ElementText("InstantaneousBeatsPerMinute", "bpm=60|time=10:00:02.00 AM")])
    ])

  static let sleep = ElementText(
    "Record",
    "type=HKCategoryTypeIdentifierSleepAnalysis|\(origin)|"
      + "value=HKCategoryValueSleepAnalysisAsleepREM|\(dates(2))")

  static let pressure = ElementText(
    "Correlation", "type=HKCorrelationTypeIdentifierBloodPressure|\(origin)|\(dates(3))",
    ["Systolic=120", "Diastolic=80"].map { member in
      let parts = member.split(separator: "=")
      return ElementText(
        "Record",
        "type=HKQuantityTypeIdentifierBloodPressure\(parts[0])|\(origin)|unit=mmHg|"
          + "value=\(parts[1])|\(dates(3))")
    } + [ElementText("MetadataEntry", "key=HKWasUserEntered|value=1")])

  static let event = ElementText(
    "WorkoutEvent",
    "type=HKWorkoutEventTypeLap|date=2024-03-04 10:00:20 +0000|duration=0.2|durationUnit=min",
    [ElementText("MetadataEntry", "key=lap|value=1")])
  static let statistics = ElementText(
    "WorkoutStatistics",
    "type=HKQuantityTypeIdentifierHeartRate|average=120|minimum=90|maximum=150|unit=count/min|"
      + dates(4))
  static let distance = ElementText(
    "WorkoutStatistics",
    "type=HKQuantityTypeIdentifierDistanceWalkingRunning|sum=3.5|unit=km|\(dates(4))")
  static let route = ElementText(
    "WorkoutRoute", "\(origin)|\(dates(4))",
    [
      ElementText("MetadataEntry", "key=route|value=1"),
      ElementText(
        "Location",
        "date=2024-03-04 10:00:10 +0000|latitude=48.1|longitude=11.5|altitude=500|"
          + "horizontalAccuracy=3|verticalAccuracy=4|course=90|speed=2"),
    ])
  static func activity(_ digit: Int) -> ElementText {
    ElementText(
      "WorkoutActivity",
      "uuid=5E6C1BCE-7F4A-4A36-9C8C-2F6B0D1C7A1\(digit)|duration=1|durationUnit=min|\(dates(4))",
      [ElementText("MetadataEntry", "key=activity|value=1"), distance])
  }

  static let workout = ElementText(
    "Workout",
    "workoutActivityType=HKWorkoutActivityTypeRunning|duration=1|durationUnit=min|"
      + "totalDistance=3|totalDistanceUnit=km|totalEnergyBurned=100|totalEnergyBurnedUnit=kcal|"
      + "\(origin)|\(dates(4))",
    [
      ElementText("MetadataEntry", "key=HKIndoorWorkout|value=1"), event, statistics, activity(1),
      route,
    ])

  static let day = ElementText(
    "ActivitySummary",
    "dateComponents=2024-03-05|activeEnergyBurned=400|activeEnergyBurnedGoal=500|"
      + "activeEnergyBurnedUnit=kcal|appleMoveTime=70|appleMoveTimeGoal=60|appleExerciseTime=31|"
      + "appleExerciseTimeGoal=30|appleStandHours=11|appleStandHoursGoal=12")

  static let hearingTest = ElementText(
    "Audiogram", "\(origin)|\(dates(6))",
    [
      ElementText("MetadataEntry", "key=own|value=1"),
      ElementText(
        "SensitivityPoint",
        "frequencyValue=500|frequencyUnit=Hz|leftEarValue=20|leftEarUnit=dBHL|leftEarMasked=1|"
          + "leftEarClampingRangeLowerBound=-10|leftEarClampingRangeUpperBound=90"),
    ])

  static let glasses = ElementText(
    "VisionPrescription", "type=glasses|dateIssued=2024-03-07|expirationDate=2026-03-07",
    [
      ElementText("MetadataEntry", "key=own|value=1"),
      ElementText(
        "RightEye",
        "sphere=-1.5|sphereUnit=D|cylinder=0.5|cylinderUnit=D|axis=90|axisUnit=deg|vertex=12|"
          + "vertexUnit=mm|farPD=31|farPDUnit=mm|prismAmount=2|prismAngle=90"),
    ])

  static let me = ElementText(
    "Me",
    "HKCharacteristicTypeIdentifierDateOfBirth=1990-02-28|"
      + "HKCharacteristicTypeIdentifierBiologicalSex=HKBiologicalSexFemale|"
      + "HKCharacteristicTypeIdentifierBloodType=HKBloodTypeAPositive")

  /// One item of each kind that needs no file.
  static let items = [
    variability, sleep, pressure, workout, day, hearingTest, glasses, me,
  ]
}
