// Category type identifiers for sleep, habits and notices:
// the constants, then the values each type may have.

extension HKCategoryTypeIdentifier {
  /// Whether the user stood in an hour.
  public static let appleStandHour = Self(rawValue: "HKCategoryTypeIdentifierAppleStandHour")

  /// A notice of unsteady gait.
  public static let appleWalkingSteadinessEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent")

  /// The old name of ``environmentalAudioExposureEvent``, with the same identifier.
  public static let audioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

  /// A notice of loud surroundings.
  public static let environmentalAudioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierAudioExposureEvent")

  /// A washing of hands.
  public static let handwashingEvent = Self(rawValue: "HKCategoryTypeIdentifierHandwashingEvent")

  /// A notice of loud headphones.
  public static let headphoneAudioExposureEvent =
    Self(rawValue: "HKCategoryTypeIdentifierHeadphoneAudioExposureEvent")

  /// A notice of a high heart rate.
  public static let highHeartRateEvent =
    Self(rawValue: "HKCategoryTypeIdentifierHighHeartRateEvent")

  /// A notice of hypertension.
  public static let hypertensionEvent = Self(rawValue: "HKCategoryTypeIdentifierHypertensionEvent")

  /// A notice of an irregular heart rhythm.
  public static let irregularHeartRhythmEvent =
    Self(rawValue: "HKCategoryTypeIdentifierIrregularHeartRhythmEvent")

  /// A notice of low cardio fitness.
  public static let lowCardioFitnessEvent =
    Self(rawValue: "HKCategoryTypeIdentifierLowCardioFitnessEvent")

  /// A notice of a low heart rate.
  public static let lowHeartRateEvent = Self(rawValue: "HKCategoryTypeIdentifierLowHeartRateEvent")

  /// A session of mindfulness.
  public static let mindfulSession = Self(rawValue: "HKCategoryTypeIdentifierMindfulSession")

  /// In bed, awake or asleep, and how deeply.
  public static let sleepAnalysis = Self(rawValue: "HKCategoryTypeIdentifierSleepAnalysis")

  /// A notice of sleep apnoea.
  public static let sleepApneaEvent = Self(rawValue: "HKCategoryTypeIdentifierSleepApneaEvent")

  /// A brushing of teeth.
  public static let toothbrushingEvent =
    Self(rawValue: "HKCategoryTypeIdentifierToothbrushingEvent")
}

extension CategoryTypeRow {
  /// The types for sleep, habits and notices, in the order of their names.
  static let events: [CategoryTypeRow] = [
    CategoryTypeRow(.appleStandHour, .standHour),
    CategoryTypeRow(.appleWalkingSteadinessEvent, .walkingSteadiness),
    CategoryTypeRow(.environmentalAudioExposureEvent, .environmentalAudioExposure),
    CategoryTypeRow(.handwashingEvent, .none),
    CategoryTypeRow(.headphoneAudioExposureEvent, .headphoneAudioExposure),
    CategoryTypeRow(.highHeartRateEvent, .none),
    CategoryTypeRow(.hypertensionEvent, .none),
    CategoryTypeRow(.irregularHeartRhythmEvent, .none),
    CategoryTypeRow(.lowCardioFitnessEvent, .lowCardioFitness),
    CategoryTypeRow(.lowHeartRateEvent, .none),
    CategoryTypeRow(.mindfulSession, .none),
    CategoryTypeRow(.sleepAnalysis, .sleepAnalysis),
    CategoryTypeRow(.sleepApneaEvent, .none),
    CategoryTypeRow(.toothbrushingEvent, .none),
  ]
}
