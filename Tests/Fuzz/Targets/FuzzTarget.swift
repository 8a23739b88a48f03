/// A way of feeding any bytes to one decoder, and a few inputs to begin with.
///
/// Running a target on any bytes whatever must end soon, in bounded memory, and without a trap.
public struct FuzzTarget: Sendable {
  /// A first input: bytes that the decoder accepts, or nearly does.
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

  /// What it is called on the command line, and the name of its folder in the corpus.
  public let name: String
  /// The longest input that is of use.
  public let maximumLength: Int
  /// Feeds an input to the decoder.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void
  /// Makes the first inputs, always the same ones.
  public let seeds: @Sendable () throws -> [Seed]

  /// Every target, cheap ones first.
  public static let all = [
    frame, payload, integers, doubles, identifiers, derivedIdentifiers, extras, points, keyIndex,
    metadata, samplePayloads, clinicalDocument, unit, predicate,
    anchor, segment, soundSegment, log, export, exportImport, exportFiles, exportTexts,
    badRecord, transfer, message, zip, directory,
  ]

  /// Ends the process, which the fuzzer takes for a crash: an answer was wrong.
  static func fail(_ reason: String) -> Never { fatalError("Wrong answer: \(reason)") }
}
