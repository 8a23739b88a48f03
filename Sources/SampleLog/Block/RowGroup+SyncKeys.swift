extension RowGroup {
  /// Makes the key of a row whose blob names a synchronisation identifier.
  struct SyncKey {
    let identifier: [UInt8]
    let symbols: SymbolTable

    func callAsFunction(_ subject: Symbol, _ type: Symbol) -> UInt64 {
      syncKey(
        subject: symbols.name(subject), type: symbols.name(type), syncIdentifier: identifier)
    }
  }

  /// For each blob number the maker of its key; nil when no blob has one.
  func syncKeys(_ symbols: SymbolTable) -> [SyncKey?]? {
    var keys: [SyncKey?] = [nil]
    for blob in blobs {
      let extras = blob.withUnsafeBytes { Extras($0) }
      let identifier = extras?.syncIdentifier ?? []
      keys.append(
        identifier.isEmpty ? nil : SyncKey(identifier: identifier, symbols: symbols))
    }
    return keys.contains { $0 != nil } ? keys : nil
  }
}
