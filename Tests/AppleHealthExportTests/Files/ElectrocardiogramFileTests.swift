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

  @Test func `An English file says when, what, how often and how much`() throws {
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

  @Test func `A file of another language is recognised by the order of its lines`() throws {
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
    #expect(file.classification == .unrecognized)
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
    ("Unheard of", .unrecognized),
  ])
  func `Each classification is known`(
    text: String, classification: HKElectrocardiogram.Classification
  ) {
    let file = read(Self.english.replacingOccurrences(of: "Sinus Rhythm", with: text))
    #expect(file?.classification == classification)
  }

  @Test(arguments: ["Recorded Date,2019-04-01 12:21:03 -0700\n", "Sample Rate,512 hertz\n"])
  func `Without a date or a frequency there is none`(line: String) {
    #expect(read(Self.english.replacingOccurrences(of: line, with: "")) == nil)
  }

  @Test func `Lines that are no number are counted, and the others read`() throws {
    let file = try #require(read(Self.english + "nan\n1e999\n--3\n4\n"))
    #expect(file.voltages == [-3.272, 12.5, 0, 4])
    #expect(file.brokenLines == 3)
  }

  @Test func `Windows' line ends and a byte order mark do not matter`() throws {
    let text = "\u{FEFF}" + Self.english.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try #require(read(text)).voltages == [-3.272, 12.5, 0])
  }
}
