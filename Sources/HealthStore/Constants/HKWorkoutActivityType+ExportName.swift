// The names of workout activities in Apple's exports.
extension HKWorkoutActivityType {
  /// The name in Apple's exports, such as `HKWorkoutActivityTypeRunning`.
  package var exportName: String {
    "HKWorkoutActivityType" + (Self.exportSuffixes[rawValue] ?? "Other")
  }

  /// Creates the activity with the given name in Apple's exports, or returns nil if it is unknown.
  package init?(exportName: String) {
    guard let known = Self.byExportName[exportName] else { return nil }
    self = known
  }

  private static let byExportName: [String: HKWorkoutActivityType] = {
    var table: [String: HKWorkoutActivityType] = [:]
    for (rawValue, suffix) in exportSuffixes {
      table["HKWorkoutActivityType" + suffix] = HKWorkoutActivityType(rawValue: rawValue)
    }
    return table
  }()

  /// Spelled out rather than derived from the case names, because a client may override the
  /// description.
  private static let exportSuffixes: [UInt: String] = [
    1: "AmericanFootball",
    2: "Archery",
    3: "AustralianFootball",
    4: "Badminton",
    5: "Baseball",
    6: "Basketball",
    7: "Bowling",
    8: "Boxing",
    9: "Climbing",
    10: "Cricket",
    11: "CrossTraining",
    12: "Curling",
    13: "Cycling",
    14: "Dance",
    15: "DanceInspiredTraining",
    16: "Elliptical",
    17: "EquestrianSports",
    18: "Fencing",
    19: "Fishing",
    20: "FunctionalStrengthTraining",
    21: "Golf",
    22: "Gymnastics",
    23: "Handball",
    24: "Hiking",
    25: "Hockey",
    26: "Hunting",
    27: "Lacrosse",
    28: "MartialArts",
    29: "MindAndBody",
    30: "MixedMetabolicCardioTraining",
    31: "PaddleSports",
    32: "Play",
    33: "PreparationAndRecovery",
    34: "Racquetball",
    35: "Rowing",
    36: "Rugby",
    37: "Running",
    38: "Sailing",
    39: "SkatingSports",
    40: "SnowSports",
    41: "Soccer",
    42: "Softball",
    43: "Squash",
    44: "StairClimbing",
    45: "SurfingSports",
    46: "Swimming",
    47: "TableTennis",
    48: "Tennis",
    49: "TrackAndField",
    50: "TraditionalStrengthTraining",
    51: "Volleyball",
    52: "Walking",
    53: "WaterFitness",
    54: "WaterPolo",
    55: "WaterSports",
    56: "Wrestling",
    57: "Yoga",
    58: "Barre",
    59: "CoreTraining",
    60: "CrossCountrySkiing",
    61: "DownhillSkiing",
    62: "Flexibility",
    63: "HighIntensityIntervalTraining",
    64: "JumpRope",
    65: "Kickboxing",
    66: "Pilates",
    67: "Snowboarding",
    68: "Stairs",
    69: "StepTraining",
    70: "WheelchairWalkPace",
    71: "WheelchairRunPace",
    72: "TaiChi",
    73: "MixedCardio",
    74: "HandCycling",
    75: "DiscSports",
    76: "FitnessGaming",
    77: "CardioDance",
    78: "SocialDance",
    79: "Pickleball",
    80: "Cooldown",
    82: "SwimBikeRun",
    83: "Transition",
    84: "UnderwaterDiving",
    3000: "Other",
  ]
}
