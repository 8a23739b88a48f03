import HealthStore

/// The words used in electrocardiogram files.
///
/// Apple writes them in the language of the phone. English, German and Japanese words were observed
/// in files. Words of other languages are medical terms for the two rhythms, some of which Apple's
/// web pages use. Unknown words are counted.
enum ElectrocardiogramWords {
  typealias Classification = HKElectrocardiogram.Classification

  /// The English words; this library writes the first word of each value.
  private static let english: [(name: String, value: Classification)] = [
    ("", .notSet), ("Sinus Rhythm", .sinusRhythm), ("Atrial Fibrillation", .atrialFibrillation),
    ("Heart Rate Under 50", .inconclusiveLowHeartRate),
    ("Heart Rate Over 120", .inconclusiveHighHeartRate),
    ("Poor Recording", .inconclusivePoorReading), ("Inconclusive", .inconclusiveOther),
    ("Low Heart Rate", .inconclusiveLowHeartRate),
    ("High Heart Rate", .inconclusiveHighHeartRate),
    ("Unrecognized", .unrecognized),
  ]

  /// Sinus rhythm in de, fr, es, it, nl, pt, sv, da, nb, fi, pl, cs, hu, el, ru, tr, ja, zh and ko.
  private static let sinusRhythm: Set<String> = [
    "sinusrhythmus", "rythme sinusal", "ritmo sinusal", "ritmo sinusale", "sinusritme",
    "sinusrytm", "sinusrytme", "sinusrytmi", "rytm zatokowy", "sinusový rytmus",
    "szinuszritmus", "φλεβοκομβικός ρυθμός",
    "синусовый ритм", "sinüs ritmi", "洞調律", "窦性心律", "竇性心律", "동리듬", "동율동",
  ]

  private static let atrialFibrillation = [
    "atrial fibrillation", "vorhofflimmern", "fibrillation auriculaire", "fibrillation atriale",
    "fibrilación auricular", "fibrilación atrial", "fibrillazione atriale", "atriumfibrilleren",
    "boezemfibrilleren", "fibrilação atrial", "fibrilhação auricular", "förmaksflimmer",
    "pitvarfibrilláció", "κολπική μαρμαρυγή", "atrieflimren", "atrieflimmer", "eteisvärinä",
    "migotanie przedsionków", "fibrilace síní",
    "фибрилляция предсердий", "atriyal fibrilasyon", "心房細動", "心房颤动", "房颤", "心房顫動",
    "심방세동",
  ]

  private static let inconclusive: Set<String> = [
    "uneindeutig", "nicht eindeutig", "non concluant", "no concluyente", "inconcluyente",
    "inconclusivo", "判定不能",
  ]

  /// The absence of symptoms, in the same languages.
  private static let noSymptoms: Set<String> = [
    "none", "keine", "aucun", "aucune", "aucun symptôme", "ninguno", "ninguna", "nessuno",
    "nessuna", "geen", "nenhum", "nenhuma", "inga", "inget", "ingen", "ei mitään", "ei oireita",
    "brak", "žádné", "нет", "yok", "なし", "无", "無", "없음",
  ]

  /// Returns the classification that a word names, or nil if it is unknown.
  static func classification(_ text: String) -> Classification? {
    if let known = english.first(where: { $0.name == text }) { return known.value }
    let word = text.lowercased()
    if sinusRhythm.contains(word) { return .sinusRhythm }
    // Apple's second version appends the heart rate.
    if atrialFibrillation.contains(where: word.hasPrefix) { return .atrialFibrillation }
    if inconclusive.contains(word) { return .inconclusiveOther }
    if let known = english.first(where: { $0.name.lowercased() == word }) { return known.value }
    // The limits are written in digits in every language.
    switch word.withASCIIDigits.split(whereSeparator: { !$0.isNumber }) {
    case ["50"]: return .inconclusiveLowHeartRate
    case ["120"], ["150"]: return .inconclusiveHighHeartRate
    default: return nil
    }
  }

  /// Returns the word that this library writes for a classification.
  static func name(of classification: Classification) -> String {
    english.first { $0.value == classification }?.name ?? "Unrecognized"
  }

  /// Returns the status for a text that lists symptoms.
  static func symptoms(_ text: String) -> HKElectrocardiogram.SymptomsStatus {
    if text.isEmpty { return .notSet }
    return noSymptoms.contains(text.lowercased()) ? .none : .present
  }

  /// Returns the text that this library writes for a status of symptoms.
  static func name(of status: HKElectrocardiogram.SymptomsStatus) -> String {
    switch status {
    case .none: "None"
    case .present: "Present"
    default: ""
    }
  }

  /// Returns the voltage unit that a symbol or an English word names, or nil for any other text.
  ///
  /// Symbols are case-sensitive: MV is a megavolt.
  static func unit(_ text: String) -> HKUnit? {
    switch text {
    // The micro sign and the Greek letter mu are different characters.
    case "µV", "μV", "uV", "mcV", "мкВ": return .voltUnit(with: .micro)
    case "mV", "мВ": return .voltUnit(with: .milli)
    case "V", "В": return .volt()
    default: break
    }
    switch text.lowercased() {
    case "microvolt", "microvolts": return .voltUnit(with: .micro)
    case "millivolt", "millivolts": return .voltUnit(with: .milli)
    case "volt", "volts": return .volt()
    default: return otherUnit(text)
    }
  }

  /// Returns a voltage unit that this library writes and Apple does not, such as `nV`.
  ///
  /// Units above a volt are rejected: `MV` is more likely a millivolt in capitals.
  private static func otherUnit(_ text: String) -> HKUnit? {
    do {
      let unit = try HKUnit.parse(text)
      let quantity = HKQuantity(unit: unit, doubleValue: 1)
      guard quantity.is(compatibleWith: .volt()) else { return nil }
      return quantity.doubleValue(for: .volt()) <= 1 ? unit : nil
    } catch {
      return nil
    }
  }

  /// Returns the factor that converts a unit of frequency to hertz: 1000 for kilohertz, otherwise
  /// 1.
  static func frequencyFactor(_ text: String) -> Double {
    let word = text.lowercased()
    return ["khz", "kilohertz", "кгц", "килогерц"].contains(where: word.hasPrefix) ? 1000 : 1
  }
}
