package import SampleLog

extension Row {
  /// Whether the extras consist of metadata only; false if there is no metadata.
  package var hasOnlyMetadata: Bool {
    let (metadata, extras) = (block.metadata(at: row), block.extras(at: row))
    // Metadata is the first field.
    guard let start = metadata.baseAddress, let all = extras.baseAddress else { return false }
    return start + metadata.count == all + extras.count
  }
}
