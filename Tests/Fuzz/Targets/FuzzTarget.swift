/// A function that feeds arbitrary bytes to one decoder, and its seed inputs.
///
/// Running a target on any input must end soon, in bounded memory, and without a trap.
public struct FuzzTarget: Sendable {
  /// A seed input: bytes that the decoder accepts, or nearly accepts.
  public struct Seed: Sendable {
    /// The name of its file in the corpus.
    public var name: String
    /// The input.
    public var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The name on the command line and of the corpus folder.
  public let name: String
  /// The maximum useful length of an input, in bytes.
  public let maximumLength: Int
  /// Feeds an input to the decoder.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void
  /// Returns the seed inputs, the same ones in every run.
  public let seeds: @Sendable () throws -> [Seed]

  /// Every target, the cheapest first.
  public static let all = [
    frame, payload, integers, doubles, identifiers, derivedIdentifiers, extras, points, keyIndex,
    metadata, samplePayloads, clinicalDocument, unit, predicate,
    anchor, segment, soundSegment, log, export, exportImport, exportFiles, exportTexts,
    badRecord, transfer, message, zip, directory,
  ]

  /// Ends the process because of a wrong answer; the fuzzer records a crash.
  static func fail(_ reason: String) -> Never { fatalError("Wrong answer: \(reason)") }
}
