/// A commit in the form that all copies of a store share: a frame without the fields of its log.
package struct StoredFrame: Equatable, Sendable {
  /// The header, with `salt` and `durableThrough` set to 0.
  package let header: FrameHeader
  /// The stored payload, compressed or not, without padding.
  package let payload: [UInt8]

  package init(header: FrameHeader, payload: [UInt8]) {
    self.header = header.withoutLog
    self.payload = payload
  }

  package var first: UInt64 { header.first }
  package var last: UInt64 { header.last }
  /// The number of bytes that ``encode(into:)`` appends.
  package var length: Int { header.frameLength }

  /// Appends the header, payload and padding.
  package func encode(into bytes: inout [UInt8]) {
    encode(header, into: &bytes)
  }

  /// Appends the frame with the header of one log.
  func encode(_ header: FrameHeader, into bytes: inout [UInt8]) {
    let end = bytes.count + header.frameLength
    bytes += header.encoded
    bytes += payload
    bytes += repeatElement(0, count: end - bytes.count)
  }

  /// Decodes a sequence of frames.
  ///
  /// - Returns: The frames, or nil if the bytes do not consist entirely of valid frames.
  package static func decode(_ bytes: [UInt8]) -> [StoredFrame]? {
    bytes.withUnsafeBytes { buffer in
      var frames: [StoredFrame] = []
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        guard let header = FrameHeader(rest, salt: 0), header.durableThrough == 0,
          header.frameLength <= rest.count
        else { return nil }
        let end = FrameHeader.size + header.storedLength
        let payload = [UInt8](rest[FrameHeader.size..<end])
        guard checksum(payload) == header.payloadChecksum,
          rest[end..<header.frameLength].allSatisfy({ $0 == 0 })
        else { return nil }
        frames.append(StoredFrame(header: header, payload: payload))
        offset += header.frameLength
      }
      return frames
    }
  }

  /// Returns the commit's records, or nil if the payload cannot be decoded.
  func payload(_ symbols: SymbolTable) -> CommitPayload? {
    payload.withUnsafeBytes { StoredPayload.raw($0, header: header) }
      .flatMap { CommitPayload($0, in: header, symbols) }
  }
}
