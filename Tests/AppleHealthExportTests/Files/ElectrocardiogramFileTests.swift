import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct ElectrocardiogramFileTests {
  static let english = """
    Name,Ada
    Date of Birth,"10 Dec 1815"
    Recorded Date,2019-04-01 12:21:03 -0700
    Classification,Sinus Rhythm
    Symptoms,
    Software Version,1.30
    Device,"Watch4,2"
    Sample Rate,512 hertz


    Lead,Lead I
    Unit,µV

    -3.272
    12.5
    0

    """

  private func read(_ text: String) -> ElectrocardiogramFile? {
    ElectrocardiogramFile(Array(text.utf8))
  }

  @Test func `An English file gives date, classification, sample rate, unit and voltages`() throws {
    let file = try #require(read(Self.english))
    #expect(file.start == Date(timeIntervalSince1970: 1_554_146_463))
    #expect(file.classification == .sinusRhythm)
    #expect(file.symptoms == .notSet)
    #expect(file.samplingFrequency == 512)
    #expect(file.unit == .voltUnit(with: .micro))
    #expect(file.voltages == [-3.272, 12.5, 0])
    #expect(file.end.timeIntervalSince(file.start) == 2.0 / 512)
    #expect(file.device == "Watch4,2")
    #expect(file.softwareVersion == "1.30")
    #expect(file.brokenLines == 0)
  }

  @Test func `A file in another language is recognised by the order of its lines`() throws {
    let file = try #require(
      read(
        """
        Name,Ada
        Geburtsdatum,"10. Dez. 1815"
        Aufzeichnungsdatum,2019-04-01 12:21:03 -0700
        Klassifizierung,Sinusrhythmus
        Symptome,Herzrasen
        Softwareversion,"1,30"
        Gerät,"Watch4,2"
        Abtastrate,512 Hertz

        Ableitung,Ableitung I
        Einheit,mV

        -3,272
        0,5
        """))
    #expect(file.classification == .sinusRhythm && file.unknownClassification == nil)
    #expect(file.symptoms == .present)
    #expect(file.samplingFrequency == 512)
    #expect(file.unit == .voltUnit(with: .milli))
    #expect(file.voltages == [-3.272, 0.5])
    #expect(file.device == "Watch4,2")
  }

  @Test(arguments: [
    ("", HKElectrocardiogram.Classification.notSet), ("Atrial Fibrillation", .atrialFibrillation),
    ("Low Heart Rate", .inconclusiveLowHeartRate), ("High Heart Rate", .inconclusiveHighHeartRate),
    ("Poor Recording", .inconclusivePoorReading), ("Inconclusive", .inconclusiveOther),
    ("Unheard of", .unrecognized), ("Heart Rate Over 120", .inconclusiveHighHeartRate),
    ("Heart Rate Over 150", .inconclusiveHighHeartRate),
    ("Heart Rate Under 50", .inconclusiveLowHeartRate),
    ("Atrial Fibrillation - High Heart Rate", .atrialFibrillation),
    ("Atrial Fibrillation — High Heart Rate", .atrialFibrillation),
    ("sinus rhythm", .sinusRhythm), ("Vorhofflimmern", .atrialFibrillation),
    ("Rythme sinusal", .sinusRhythm), ("Fibrilación auricular", .atrialFibrillation),
    ("洞調律", .sinusRhythm), ("心房細動", .atrialFibrillation), ("窦性心律", .sinusRhythm),
    ("Uneindeutig", .inconclusiveOther), ("Herzfrequenz über 120", .inconclusiveHighHeartRate),
    ("心拍数が50未満", .inconclusiveLowHeartRate), ("判定不能", .inconclusiveOther),
    ("معدل أعلى من ١٢٠", .inconclusiveHighHeartRate), ("Pitvarfibrilláció", .atrialFibrillation),
    ("Κολπική μαρμαρυγή", .atrialFibrillation), ("Sinus 500", .unrecognized),
  ])
  func `Each classification is recognised`(
    text: String, classification: HKElectrocardiogram.Classification
  ) {
    let file = read(Self.english.replacingOccurrences(of: "Sinus Rhythm", with: text))
    #expect(file?.classification == classification)
  }

  @Test(arguments: ["Recorded Date,2019-04-01 12:21:03 -0700\n", "Sample Rate,512 hertz\n"])
  func `Without a date or a frequency both are nil`(line: String) {
    #expect(read(Self.english.replacingOccurrences(of: line, with: "")) == nil)
  }

  @Test func `Lines that are not numbers are counted, and the others are read`() throws {
    let file = try #require(read(Self.english + "nan\n1e999\n--3\n4\n"))
    #expect(file.voltages == [-3.272, 12.5, 0, 4])
    #expect(file.brokenLines == 3)
  }

  @Test(arguments: [
    ("-265,868", -265.868), ("\"-265,868\"", -265.868), ("\u{2212}265.868", -265.868),
    ("1.234,5", 1234.5), ("1,234.5", 1234.5), ("1\u{A0}234,5", 1234.5),
    ("1\u{202F}234,5", 1234.5), ("٢٦٥٫٨", 265.8), ("-0", 0), ("7", 7),
  ])
  func `Numbers are read in every language`(text: String, value: Double) throws {
    let file = try #require(read(Self.english.replacing("-3.272\n12.5\n0", with: text)))
    #expect(file.voltages == [value] && file.brokenLines == 0)
  }

  @Test(arguments: [
    (["1,234", "2,5"], [1.234, 2.5]), (["1,234", "2.5"], [1234, 2.5]),
    (["1.234", "2,5"], [1234, 2.5]), (["1.234", "2.5"], [1.234, 2.5]),
    (["-1,234", "0,512", "7"], [-1.234, 0.512, 7]), (["1,234", "1,234,567"], [1234, 1_234_567]),
    (["1,234", "1.234,5"], [1.234, 1234.5]), (["1.234", "1,234.5"], [1.234, 1234.5]),
    (["٢٬٣٤٥٫٦", "١٫٢٣٤"], [2345.6, 1.234]), (["1,23,456.5", "1,234"], [123_456.5, 1234]),
  ])
  func `One decimal separator applies to the whole file`(
    texts: [String], values: [Double]
  ) throws {
    for order in [texts, texts.reversed()] {
      let text = Self.english.replacing(
        "-3.272\n12.5\n0", with: order.joined(separator: "\n"))
      let file = try #require(read(text))
      #expect(file.voltages.sorted() == values.sorted() && file.brokenLines == 0)
    }
  }

  @Test(arguments: ["MV", "UV", "mv", "furlongs"])
  func `An unknown unit is nil, whatever the other lines contain`(unit: String) throws {
    let text = Self.english.replacing("Unit,µV", with: "Unit,\(unit)")
      .replacing("Name,Ada", with: "Name,V").replacing("Symptoms,", with: "Symptoms,mV")
    #expect(try #require(read(text)).unknownUnit == unit)
    let german = text.replacing("Sample Rate", with: "Abtastrate")
      .replacing("Unit,", with: "Einheit,")
    #expect(try #require(read(german)).unknownUnit == unit)
  }

  @Test(arguments: ["511,422\u{A0}hertz", "\"511,422 hertz\"", "511.422ヘルツ", "511.422 Hz"])
  func `The frequency is read in every language`(text: String) throws {
    let file = try #require(read(Self.english.replacing("512 hertz", with: text)))
    #expect(file.samplingFrequency == 511.422)
  }

  @Test(arguments: [("None", 1), ("Keine", 1), ("なし", 1), ("Herzrasen, Schwindel", 2), ("", 0)])
  func `No symptoms and some symptoms are distinguished`(text: String, status: Int) throws {
    let file = try #require(read(Self.english.replacing("Symptoms,", with: "Symptoms,\(text)")))
    #expect(file.symptoms.rawValue == status)
  }

  @Test func `Header lines after the unit are not voltages`() throws {
    let file = try #require(
      read(Self.english.replacing("Unit,µV\n", with: "Unit,µV\nAverage Heart Rate,64 bpm\n")))
    #expect(file.positions == [0, 1, 2] && file.brokenLines == 0)
  }

  @Test(arguments: [("n/a\n-3.272", [1, 2, 3], 1), ("-3.272\n\nx", [0, 3, 4], 2)])
  func `A line that is not a number keeps its position`(
    text: String, positions: [Int], broken: Int
  ) throws {
    let file = try #require(read(Self.english.replacing("-3.272", with: text)))
    #expect(file.positions == positions && file.brokenLines == broken)
  }

  @Test(arguments: ["V", "mV", "µV", "Volt", "2019-04-01 00:00:00 +0000"], [true, false])
  func `A name that resembles a unit or a date is read as a name`(name: String, isEnglish: Bool)
    throws
  {
    var text = Self.english.replacing("Ada", with: name).replacing("Watch4,2", with: name)
      .replacing("µV\n\n", with: "nV\n\n")
    if !isEnglish {
      // In other languages a date marks the first of the lines.
      if name.hasPrefix("2019") { return }
      for (key, other) in [("Sample Rate", "Abtastrate"), ("Unit", "Einheit")] {
        text = text.replacing(key + ",", with: other + ",")
      }
    }
    let file = try #require(read(text))
    #expect(file.start == Date(timeIntervalSince1970: 1_554_146_463))
    #expect(file.unit == .voltUnit(with: .nano) && file.unknownUnit == nil)
    #expect(file.samplingFrequency == 512 && file.brokenLines == 0)
    let unknown = try #require(read(text.replacing("nV\n\n", with: "xV\n\n")))
    #expect(unknown.unknownUnit == "xV")
  }

  @Test(arguments: [
    ("1e3 hertz", 1000), ("5.12E+2 Hz", 512), ("5120e-1hertz", 512), ("0.5 kHz", 500),
    ("0,512 Kilohertz", 512), ("512 e3", 512),
  ])
  func `A sample rate may have an exponent, and be in kilohertz`(text: String, rate: Double) {
    #expect(read(Self.english.replacing("512 hertz", with: text))?.samplingFrequency == rate)
  }

  @Test func `CRLF line ends and a byte order mark are accepted`() throws {
    let text = "\u{FEFF}" + Self.english.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try #require(read(text)).voltages == [-3.272, 12.5, 0])
  }
}
