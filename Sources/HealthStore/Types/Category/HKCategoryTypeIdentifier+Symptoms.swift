// Category type identifiers for symptoms, followed by the table of their properties.

extension HKCategoryTypeIdentifier {
  /// Abdominal cramps, by severity.
  public static let abdominalCramps = Self(rawValue: "HKCategoryTypeIdentifierAbdominalCramps")

  /// Acne, by severity.
  public static let acne = Self(rawValue: "HKCategoryTypeIdentifierAcne")

  /// A change of appetite.
  public static let appetiteChanges = Self(rawValue: "HKCategoryTypeIdentifierAppetiteChanges")

  /// Bladder incontinence, by severity.
  public static let bladderIncontinence =
    Self(rawValue: "HKCategoryTypeIdentifierBladderIncontinence")

  /// Bloating, by severity.
  public static let bloating = Self(rawValue: "HKCategoryTypeIdentifierBloating")

  /// Breast pain, by severity.
  public static let breastPain = Self(rawValue: "HKCategoryTypeIdentifierBreastPain")

  /// Tightness or pain in the chest, by severity.
  public static let chestTightnessOrPain =
    Self(rawValue: "HKCategoryTypeIdentifierChestTightnessOrPain")

  /// Chills, by severity.
  public static let chills = Self(rawValue: "HKCategoryTypeIdentifierChills")

  /// Constipation, by severity.
  public static let constipation = Self(rawValue: "HKCategoryTypeIdentifierConstipation")

  /// Coughing, by severity.
  public static let coughing = Self(rawValue: "HKCategoryTypeIdentifierCoughing")

  /// Diarrhoea, by severity.
  public static let diarrhea = Self(rawValue: "HKCategoryTypeIdentifierDiarrhea")

  /// Dizziness, by severity.
  public static let dizziness = Self(rawValue: "HKCategoryTypeIdentifierDizziness")

  /// Dry skin, by severity.
  public static let drySkin = Self(rawValue: "HKCategoryTypeIdentifierDrySkin")

  /// Fainting, by severity.
  public static let fainting = Self(rawValue: "HKCategoryTypeIdentifierFainting")

  /// Fatigue, by severity.
  public static let fatigue = Self(rawValue: "HKCategoryTypeIdentifierFatigue")

  /// Fever, by severity.
  public static let fever = Self(rawValue: "HKCategoryTypeIdentifierFever")

  /// An ache of the whole body, by severity.
  public static let generalizedBodyAche =
    Self(rawValue: "HKCategoryTypeIdentifierGeneralizedBodyAche")

  /// Hair loss, by severity.
  public static let hairLoss = Self(rawValue: "HKCategoryTypeIdentifierHairLoss")

  /// Headache, by severity.
  public static let headache = Self(rawValue: "HKCategoryTypeIdentifierHeadache")

  /// Heartburn, by severity.
  public static let heartburn = Self(rawValue: "HKCategoryTypeIdentifierHeartburn")

  /// Hot flashes, by severity.
  public static let hotFlashes = Self(rawValue: "HKCategoryTypeIdentifierHotFlashes")

  /// Loss of smell, by severity.
  public static let lossOfSmell = Self(rawValue: "HKCategoryTypeIdentifierLossOfSmell")

  /// Loss of taste, by severity.
  public static let lossOfTaste = Self(rawValue: "HKCategoryTypeIdentifierLossOfTaste")

  /// Lower back pain, by severity.
  public static let lowerBackPain = Self(rawValue: "HKCategoryTypeIdentifierLowerBackPain")

  /// Memory lapse, by severity.
  public static let memoryLapse = Self(rawValue: "HKCategoryTypeIdentifierMemoryLapse")

  /// A change of mood.
  public static let moodChanges = Self(rawValue: "HKCategoryTypeIdentifierMoodChanges")

  /// Nausea, by severity.
  public static let nausea = Self(rawValue: "HKCategoryTypeIdentifierNausea")

  /// Night sweats, by severity.
  public static let nightSweats = Self(rawValue: "HKCategoryTypeIdentifierNightSweats")

  /// Pelvic pain, by severity.
  public static let pelvicPain = Self(rawValue: "HKCategoryTypeIdentifierPelvicPain")

  /// A rapid, pounding or fluttering heartbeat, by severity.
  public static let rapidPoundingOrFlutteringHeartbeat =
    Self(rawValue: "HKCategoryTypeIdentifierRapidPoundingOrFlutteringHeartbeat")

  /// Runny nose, by severity.
  public static let runnyNose = Self(rawValue: "HKCategoryTypeIdentifierRunnyNose")

  /// Shortness of breath, by severity.
  public static let shortnessOfBreath = Self(rawValue: "HKCategoryTypeIdentifierShortnessOfBreath")

  /// Sinus congestion, by severity.
  public static let sinusCongestion = Self(rawValue: "HKCategoryTypeIdentifierSinusCongestion")

  /// Skipped heartbeat, by severity.
  public static let skippedHeartbeat = Self(rawValue: "HKCategoryTypeIdentifierSkippedHeartbeat")

  /// A change of sleep.
  public static let sleepChanges = Self(rawValue: "HKCategoryTypeIdentifierSleepChanges")

  /// Sore throat, by severity.
  public static let soreThroat = Self(rawValue: "HKCategoryTypeIdentifierSoreThroat")

  /// Vaginal dryness, by severity.
  public static let vaginalDryness = Self(rawValue: "HKCategoryTypeIdentifierVaginalDryness")

  /// Vomiting, by severity.
  public static let vomiting = Self(rawValue: "HKCategoryTypeIdentifierVomiting")

  /// Wheezing, by severity.
  public static let wheezing = Self(rawValue: "HKCategoryTypeIdentifierWheezing")
}

extension CategoryTypeRow {
  /// The table of types for symptoms, sorted by name.
  static let symptoms: [CategoryTypeRow] = [
    CategoryTypeRow(.abdominalCramps, .severity),
    CategoryTypeRow(.acne, .severity),
    CategoryTypeRow(.appetiteChanges, .appetiteChanges),
    CategoryTypeRow(.bladderIncontinence, .severity),
    CategoryTypeRow(.bloating, .severity),
    CategoryTypeRow(.breastPain, .severity),
    CategoryTypeRow(.chestTightnessOrPain, .severity),
    CategoryTypeRow(.chills, .severity),
    CategoryTypeRow(.constipation, .severity),
    CategoryTypeRow(.coughing, .severity),
    CategoryTypeRow(.diarrhea, .severity),
    CategoryTypeRow(.dizziness, .severity),
    CategoryTypeRow(.drySkin, .severity),
    CategoryTypeRow(.fainting, .severity),
    CategoryTypeRow(.fatigue, .severity),
    CategoryTypeRow(.fever, .severity),
    CategoryTypeRow(.generalizedBodyAche, .severity),
    CategoryTypeRow(.hairLoss, .severity),
    CategoryTypeRow(.headache, .severity),
    CategoryTypeRow(.heartburn, .severity),
    CategoryTypeRow(.hotFlashes, .severity),
    CategoryTypeRow(.lossOfSmell, .severity),
    CategoryTypeRow(.lossOfTaste, .severity),
    CategoryTypeRow(.lowerBackPain, .severity),
    CategoryTypeRow(.memoryLapse, .severity),
    CategoryTypeRow(.moodChanges, .presence),
    CategoryTypeRow(.nausea, .severity),
    CategoryTypeRow(.nightSweats, .severity),
    CategoryTypeRow(.pelvicPain, .severity),
    CategoryTypeRow(.rapidPoundingOrFlutteringHeartbeat, .severity),
    CategoryTypeRow(.runnyNose, .severity),
    CategoryTypeRow(.shortnessOfBreath, .severity),
    CategoryTypeRow(.sinusCongestion, .severity),
    CategoryTypeRow(.skippedHeartbeat, .severity),
    CategoryTypeRow(.sleepChanges, .presence),
    CategoryTypeRow(.soreThroat, .severity),
    CategoryTypeRow(.vaginalDryness, .severity),
    CategoryTypeRow(.vomiting, .severity),
    CategoryTypeRow(.wheezing, .severity),
  ]
}
