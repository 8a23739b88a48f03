import Foundation
import SampleLog

/// A place in a store's log as text that can be kept anywhere and given back later.
///
/// A version byte, the store's identity, its epoch, the sequence number and two bytes that catch
/// typing errors, in the alphabet of base64url: 42 characters, opaque and stable. In the middle of
/// a first pass, where that began comes before the last two bytes: 52 characters.
struct AnchorText: Equatable {
  var storeID: Identifier
  var epoch: UInt32
  var sequence: UInt64
  /// Where the first pass began that the place is in the middle of; 0 when it is over.
  var begun: UInt64

  init(storeID: Identifier, epoch: UInt32, sequence: UInt64, begun: UInt64 = 0) {
    self.storeID = storeID
    self.epoch = epoch
    self.sequence = sequence
    self.begun = begun > sequence ? begun : 0
  }

  /// A place in an open store.
  init(_ database: Database, at sequence: UInt64, begun: UInt64 = 0) {
    self.init(
      storeID: database.storeID, epoch: database.epoch, sequence: sequence, begun: begun)
  }

  /// Reads a text; nil when it is no anchor.
  init?(_ text: String) {
    var base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let data = Data(base64Encoded: base64) else { return nil }
    let bytes = [UInt8](data)
    guard bytes.count == 31 || bytes.count == 39,
      Self.check(bytes.dropLast(2)) == Array(bytes.suffix(2))
    else {
      return nil
    }
    let fields = bytes.withUnsafeBytes { buffer -> Self? in
      var reader = ByteReader(buffer)
      guard reader.byte() == (bytes.count == 31 ? 1 : 2), let high = reader.fixed64(),
        let low = reader.fixed64(), let epoch = reader.fixed(UInt32.self),
        let sequence = reader.fixed64(), let begun = bytes.count == 31 ? 0 : reader.fixed64()
      else { return nil }
      return Self(
        storeID: Identifier(high: high, low: low), epoch: epoch, sequence: sequence,
        begun: begun)
    }
    guard let fields, fields.text == text else { return nil }
    self = fields
  }

  var text: String {
    var writer = ByteWriter()
    writer.byte(begun == 0 ? 1 : 2)
    writer.fixed(storeID.high)
    writer.fixed(storeID.low)
    writer.fixed(epoch)
    writer.fixed(sequence)
    if begun > 0 { writer.fixed(begun) }
    return Data(writer.bytes + Self.check(writer.bytes[...])).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// The sequence number to go on after, or a sentence why this store cannot.
  func place(in database: Database) throws -> UInt64 {
    do {
      return try database.place(sequence, storeID: storeID, epoch: epoch)
    } catch let error as StoreError {
      throw Failure(
        "\(error) Leave --after out to start from the beginning.", status: .failed)
    }
  }

  /// Fletcher's sum.
  private static func check(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var first: UInt32 = 0
    var second: UInt32 = 0
    for byte in bytes {
      first = (first + UInt32(byte)) % 255
      second = (second + first) % 255
    }
    return [UInt8(first), UInt8(second)]
  }
}
