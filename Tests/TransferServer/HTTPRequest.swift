import Foundation
import HealthTransfer

/// The part of HTTP/1.1 that an upload needs: one request per connection.
struct HTTPRequest: Sendable {
  /// The request line.
  var line = ""
  /// The token of the header `Authorization: Bearer`.
  var token = ""
  var body = Data()

  /// Reads a request.
  ///
  /// Returns nil if it is malformed, too long or incomplete.
  init?(from connection: Socket) {
    var bytes = Data()
    let end = Data("\r\n\r\n".utf8)
    while bytes.range(of: end) == nil {
      guard bytes.count < 16_384, let more = connection.read() else { return nil }
      bytes += more
    }
    guard let gap = bytes.range(of: end),
      let head = String(data: bytes[..<gap.lowerBound], encoding: .utf8)
    else { return nil }
    var length = 0
    for (index, text) in head.components(separatedBy: "\r\n").enumerated() {
      if index == 0 { line = text }
      let field = text.split(separator: ":", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard field.count == 2 else { continue }
      switch field[0].lowercased() {
      case "authorization": token = String(field[1].dropFirst("Bearer ".count))
      case "content-length": length = Int(field[1]) ?? -1
      case "expect": connection.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      default: break
      }
    }
    guard (0...TransferBatch.maximumByteCount).contains(length) else { return nil }
    body = bytes[gap.upperBound...]
    while body.count < length {
      guard let more = connection.read() else { return nil }
      body += more
    }
    body = Data(body.prefix(length))
  }

  static func reply(_ status: String, _ body: Data) -> Data {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n"
      + "Content-Type: application/octet-stream\r\nConnection: close\r\n\r\n"
    return Data(head.utf8) + body
  }
}
