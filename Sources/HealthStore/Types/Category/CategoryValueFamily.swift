/// The values of a group of category types, with their names in Apple's exports.
struct CategoryValueFamily: Sendable {
  /// The common prefix of the names in exports.
  let prefix: String

  /// The remainder of each value's name, in ascending order of value.
  let names: [String]

  /// The values, which are contiguous.
  let range: ClosedRange<Int>

  /// Older complete names of values.
  let aliases: [String: Int]

  init(_ prefix: String, from first: Int, _ names: [String], aliases: [String: Int] = [:]) {
    self.prefix = prefix
    self.names = names
    self.range = first...(first + names.count - 1)
    self.aliases = aliases
  }
}

extension CategoryValueFamily {
  static let none = Self(
    "HKCategoryValue", from: 0, ["NotApplicable"])

  static let sleepAnalysis = Self(
    "HKCategoryValueSleepAnalysis", from: 0,
    ["InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM"],
    aliases: [
      "HKCategoryValueSleepAnalysisAsleep": 1
    ])

  static let standHour = Self(
    "HKCategoryValueAppleStandHour", from: 0, ["Stood", "Idle"])

  static let severity = Self(
    "HKCategoryValueSeverity", from: 0, ["Unspecified", "NotPresent", "Mild", "Moderate", "Severe"])

  static let presence = Self(
    "HKCategoryValuePresence", from: 0, ["Present", "NotPresent"])

  static let appetiteChanges = Self(
    "HKCategoryValueAppetiteChanges", from: 0,
    ["Unspecified", "NoChange", "Decreased", "Increased"])

  static let walkingSteadiness = Self(
    "HKCategoryValueAppleWalkingSteadinessEvent", from: 1,
    ["InitialLow", "InitialVeryLow", "RepeatLow", "RepeatVeryLow"])

  static let environmentalAudioExposure = Self(
    "HKCategoryValueEnvironmentalAudioExposureEvent", from: 1, ["MomentaryLimit"],
    aliases: [
      "HKCategoryValueAudioExposureEventLoudEnvironment": 1
    ])

  static let headphoneAudioExposure = Self(
    "HKCategoryValueHeadphoneAudioExposureEvent", from: 1, ["SevenDayLimit"])

  static let lowCardioFitness = Self(
    "HKCategoryValueLowCardioFitnessEvent", from: 1, ["LowFitness"])

  static let menopausalState = Self(
    "HKCategoryValueMenopausalState", from: 1, ["Menopause", "Perimenopause", "None"])

  static let menstrualFlow = Self(
    "HKCategoryValueMenstrualFlow", from: 1, ["Unspecified", "Light", "Medium", "Heavy", "None"],
    aliases: [
      "HKCategoryValueVaginalBleedingUnspecified": 1,
      "HKCategoryValueVaginalBleedingLight": 2,
      "HKCategoryValueVaginalBleedingMedium": 3,
      "HKCategoryValueVaginalBleedingHeavy": 4,
      "HKCategoryValueVaginalBleedingNone": 5,
    ])

  static let vaginalBleeding = Self(
    "HKCategoryValueVaginalBleeding", from: 1, ["Unspecified", "Light", "Medium", "Heavy", "None"],
    aliases: [
      "HKCategoryValueMenstrualFlowUnspecified": 1,
      "HKCategoryValueMenstrualFlowLight": 2,
      "HKCategoryValueMenstrualFlowMedium": 3,
      "HKCategoryValueMenstrualFlowHeavy": 4,
      "HKCategoryValueMenstrualFlowNone": 5,
    ])

  static let cervicalMucus = Self(
    "HKCategoryValueCervicalMucusQuality", from: 1,
    ["Dry", "Sticky", "Creamy", "Watery", "EggWhite"])

  static let contraceptive = Self(
    "HKCategoryValueContraceptive", from: 1,
    [
      "Unspecified", "Implant", "Injection", "IntrauterineDevice", "IntravaginalRing", "Oral",
      "Patch",
    ])

  static let ovulationTest = Self(
    "HKCategoryValueOvulationTestResult", from: 1,
    ["Negative", "LuteinizingHormoneSurge", "Indeterminate", "EstrogenSurge"],
    aliases: [
      "HKCategoryValueOvulationTestResultPositive": 2
    ])

  static let pregnancyTest = Self(
    "HKCategoryValuePregnancyTestResult", from: 1, ["Negative", "Positive", "Indeterminate"])

  static let progesteroneTest = Self(
    "HKCategoryValueProgesteroneTestResult", from: 1, ["Negative", "Positive", "Indeterminate"])
}
