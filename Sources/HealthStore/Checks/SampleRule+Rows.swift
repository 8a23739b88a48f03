import SampleLog

// The rule for the contents of rows.
extension SampleRule {
  /// Throws if the encoded extras are not valid for a sample of the type.
  func check(extras bytes: [UInt8]) throws(HKInvalidSampleError) {
    if bytes.isEmpty { return try check(payload: 0, []) }
    let extras = try self.extras(bytes)
    try check(payload: extras.payloadKind, extras.payload)
  }

  /// Throws if the payload is not valid for a sample of the type.
  ///
  /// The kind 0 means no payload.
  func check(payload number: UInt64, _ bytes: [UInt8]) throws(HKInvalidSampleError) {
    let payload = kind?.payload
    if number == 0, payload?.isRequired != true { return }
    guard let payload, payload.kind == number,
      let contents = bytes.withUnsafeBytes({ payload.init($0) })
    else { throw .invalidContents(type: name, reason: "its contents make no sense.") }
    guard let correlation = contents as? CorrelationPayload else { return }
    for member in correlation.members where HKObjectType.isCorrelation(identifier: member.type) {
      throw .unsupportedCorrelationObject(type: member.type)
    }
  }

  /// Throws if the extras are not valid for a child row of the given type.
  ///
  /// - Returns: The child row's payload.
  @discardableResult
  func check(
    child childType: String, extras bytes: [UInt8]
  ) throws(HKInvalidSampleError) -> any ChildPayload {
    let extras = try self.extras(bytes)
    let type = SamplePayloads.all.lazy.compactMap { $0 as? any ChildPayload.Type }
      .first { $0.childType == childType && $0.kind == extras.payloadKind }
    guard let payload = type?.init(extras), !extras.memberOf.isEmpty else {
      throw .invalidContents(type: name, reason: "what belongs to it makes no sense.")
    }
    return payload
  }

  /// Throws if a sample's points do not match its payload.
  ///
  /// Extras that are not valid match no points.
  func check(
    _ chunks: [PointChunk], extras bytes: [UInt8], from start: Double, to end: Double
  ) throws(HKInvalidSampleError) {
    let extras = bytes.withUnsafeBytes { Extras($0) }
    let series = (kind?.payload as? any SeriesPayload.Type).flatMap { $0.init(extras) }
    let count = chunks.reduce(0) { $0 + $1.count }
    guard count == series?.count ?? 0 else {
      throw .invalidContents(type: name, reason: "points are missing, or there are too many.")
    }
    guard let layout = series.map({ Swift.type(of: $0).layout }) else { return }
    var numbers: [Double] = []
    for chunk in chunks where chunk.layout == layout {
      for point in 0..<chunk.count {
        for column in 0..<layout.width { numbers.append(chunk[column, point]) }
      }
    }
    guard numbers.count == count * layout.width,
      layout.admits(numbers, from: start, to: end)
    else { throw .invalidContents(type: name, reason: "its points make no sense.") }
  }

  private func extras(_ bytes: [UInt8]) throws(HKInvalidSampleError) -> Extras {
    guard bytes.count <= StoreLimit.extrasBytes.maximum else {
      throw .invalidContents(type: name, reason: "it has \(bytes.count) bytes.")
    }
    guard let extras = bytes.withUnsafeBytes({ Extras($0) }),
      extras.syncIdentifier.count <= StoreLimit.syncIdentifierBytes.maximum
    else { throw .invalidContents(type: name, reason: "its bytes make no sense.") }
    // The identifier is preceded by its source and a NUL.
    if let mark = extras.syncIdentifier.firstIndex(of: 0), mark == extras.syncIdentifier.count - 1 {
      throw SyncIdentity.emptyIdentifier(type: name)
    }
    if extras.metadata.isEmpty { return extras }
    let found: (MetadataValue?, MetadataValue?)
    do {
      found = try extras.metadata.withUnsafeBytes {
        try MetadataCoding.check($0, for: HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion)
      }
    } catch {
      throw .invalidContents(type: name, reason: "its metadata makes no sense.")
    }
    try SyncIdentity.check(identifier: found.0, version: found.1, of: name)
    return extras
  }
}
