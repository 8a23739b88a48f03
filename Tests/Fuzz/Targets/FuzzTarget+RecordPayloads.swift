import HealthStore
import SampleLog

extension FuzzTarget {
  /// Seed payloads of assessments, hearing tests, prescriptions and records.
  static var recordSeeds: [(name: String, kind: UInt64, bytes: [UInt8])] {
    [
      ("audiogram", 7, audiogram), ("glasses", 8, prescription(of: 1)),
      ("contacts", 8, prescription(of: 2)), ("stateOfMind", 9, stateOfMind),
      ("assessment", 10, [1, 7, 0, 1, 2, 3, 0, 1, 2]), ("clinicalRecord", 11, clinicalRecord),
      ("card", 13, card), ("dose", 14, dose), ("medication", 15, medication),
      ("document", 12, document), ("attachment", 17, attachment),
      ("attachmentChunk", 18, [1] + Array("%PDF-1.7".utf8)),
    ]
  }

  private static var audiogram: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(1)
    writer.quantity(1000, "Hz")
    writer.varint(1)
    writer.quantity(20, "dBHL")
    for byte: UInt8 in [0, 1, 7] { writer.byte(byte) }
    writer.fixed(-10.0)
    writer.fixed(80.0)
    return writer.bytes
  }

  private static func prescription(of type: UInt8) -> [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.byte(type)
    writer.byte(1)
    writer.fixed(700_000_000.0)
    writer.string(Array("brand".utf8))
    writer.byte(1)
    writer.quantity(-1.5, "D")
    for _ in 0..<3 { writer.byte(0) }
    writer.byte(1)
    writer.quantity(12, "mm")
    if type == 1 {
      for byte: UInt8 in [1, 0] { writer.byte(byte) }
      writer.quantity(2, "pD")
      writer.quantity(45, "deg")
      for byte: UInt8 in [2, 0] { writer.byte(byte) }
    }
    writer.byte(0)
    writer.byte(0)
    return writer.bytes
  }

  private static var stateOfMind: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(2)
    writer.fixed(0.5)
    for byte: UInt8 in [2, 2, 62, 1, 36] { writer.byte(byte) }
    return writer.bytes
  }

  private static var clinicalRecord: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.string(Array("Name".utf8))
    writer.byte(1)
    for number: UInt64 in [8, 0, 2] { writer.varint(number) }
    writer.string(Array("Observation".utf8))
    writer.string(Array("id".utf8))
    writer.byte(1)
    writer.string(Array("https://example.org/a".utf8))
    writer.string(Array("{}".utf8))
    return writer.bytes
  }

  private static var attachment: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.string(Array("prescription.pdf".utf8))
    writer.string(Array("com.adobe.pdf".utf8))
    writer.fixed(700_000_000.0)
    writer.varint(1_500_000)
    writer.string((try? MetadataCoding.encode(["page": 2])) ?? [])
    return writer.bytes
  }

  private static var document: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    for text in ["Title", "Patient", "Author", "Custodian"] { writer.string(Array(text.utf8)) }
    writer.byte(1)
    writer.string(Array("<ClinicalDocument/>".utf8))
    return writer.bytes
  }

  private static var card: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(1)
    for text in ["covid19", "issuer", "name"] { writer.string(Array(text.utf8)) }
    writer.byte(1)
    for number: UInt64 in [3630, 24, 20] {
      writer.byte(1)
      writer.varint(number)
    }
    writer.fixed(700_000_000.0)
    writer.byte(0)
    writer.varint(1)
    writer.string(Array("item".utf8))
    writer.byte(0)
    writer.string(Array("eyJ".utf8))
    return writer.bytes
  }

  private static var dose: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    for text in ["medication", "1191"] { writer.string(Array(text.utf8)) }
    writer.byte(4)
    for number in [700_000_000.0, 2, 1.5] {
      writer.byte(1)
      writer.fixed(number)
    }
    writer.string(Array("mg".utf8))
    return writer.bytes
  }

  private static var medication: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    for text in ["medication", "1191", "Aspirin", "tablet"] { writer.string(Array(text.utf8)) }
    writer.varint(1)
    for text in ["rxnorm", "1191"] { writer.string(Array(text.utf8)) }
    for byte: UInt8 in [0, 0, 2] { writer.byte(byte) }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func quantity(_ value: Double, _ unit: String) {
    fixed(value)
    string(Array(unit.utf8))
  }
}
