import HealthStore

/// The words of electrocardiogram files.
///
/// Apple writes them in the language of the phone. English, German and Japanese words were seen in
/// files. Those of other languages are the terms that medicine has for the two rhythms, of which
/// Apple's pages use one or the other; a word that is not here is counted.
enum ElectrocardiogramWords {
  typealias Classification = HKElectrocardiogram.Classification

  /// The words that files of this library have, the first of each value.
  private static let english: [(name: String, value: Classification)] = [
    ("", .notSet), ("Sinus Rhythm", .sinusRhythm), ("Atrial Fibrillation", .atrialFibrillation),
    ("Heart Rate Under 50", .inconclusiveLowHeartRate),
    ("Heart Rate Over 120", .inconclusiveHighHeartRate),
    ("Poor Recording", .inconclusivePoorReading), ("Inconclusive", .inconclusiveOther),
    ("Low Heart Rate", .inconclusiveLowHeartRate),
    ("High Heart Rate", .inconclusiveHighHeartRate),
    ("Unrecognized", .unrecognized),
  ]

  /// The rhythm in de, fr, es, it, nl, pt, sv, da, nb, fi, pl, cs, hu, el, ru, tr, ja, zh and ko.
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

  /// Having no symptoms, in the same languages.
  private static let noSymptoms: Set<String> = [
    "none", "keine", "aucun", "aucune", "aucun symptôme", "ninguno", "ninguna", "nessuno",
    "nessuna", "geen", "nenhum", "nenhuma", "inga", "inget", "ingen", "ei mitään", "ei oireita",
    "brak", "žádné", "нет", "yok", "なし", "无", "無", "없음",
  ]

  /// The classification that a word stands for; nil for one that is not known.
  static func classification(_ text: String) -> Classification? {
    if let known = english.first(where: { $0.name == text }) { return known.value }
    let word = text.lowercased()
    if sinusRhythm.contains(word) { return .sinusRhythm }
    // Apple's second version adds what the rate was.
    if atrialFibrillation.contains(where: word.hasPrefix) { return .atrialFibrillation }
    if inconclusive.contains(word) { return .inconclusiveOther }
    if let known = english.first(where: { $0.name.lowercased() == word }) { return known.value }
    // The limits are figures in every language.
    switch word.withASCIIDigits.split(whereSeparator: { !$0.isNumber }) {
    case ["50"]: return .inconclusiveLowHeartRate
    case ["120"], ["150"]: return .inconclusiveHighHeartRate
    default: return nil
    }
  }

  /// The word that a file has for a classification.
  static func name(of classification: Classification) -> String {
    english.first { $0.value == classification }?.name ?? "Unrecognized"
  }

  /// The status of symptoms that a text stands for, which lists them.
  static func symptoms(_ text: String) -> HKElectrocardiogram.SymptomsStatus {
    if text.isEmpty { return .notSet }
    return noSymptoms.contains(text.lowercased()) ? .none : .present
  }

  /// The text of a status of symptoms.
  static func name(of status: HKElectrocardiogram.SymptomsStatus) -> String {
    switch status {
    case .none: "None"
    case .present: "Present"
    default: ""
    }
  }

  /// The unit of voltages that a symbol or an English word stands for; nil for any other text.
  ///
  /// In symbols the case counts: MV is a megavolt.
  static func unit(_ text: String) -> HKUnit? {
    switch text {
    // The sign of micro and the Greek letter are two characters.
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

  /// A unit of voltage that this library writes and Apple does not, such as `nV`.
  ///
  /// Units above a volt are not accepted: `MV` is more likely a millivolt in capitals.
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

  /// The factor of the unit of a sample rate: 1, or 1000 for kilohertz.
  static func frequencyFactor(_ text: String) -> Double {
    let word = text.lowercased()
    return ["khz", "kilohertz", "кгц", "килогерц"].contains(where: word.hasPrefix) ? 1000 : 1
  }
}
