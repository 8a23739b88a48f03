extension RowGroup {
  /// A function that computes the sync keys of the rows that share a blob with a sync identifier.
  struct SyncKey {
    let identifier: [UInt8]
    let symbols: SymbolTable

    func callAsFunction(_ subject: Symbol, _ type: Symbol) -> UInt64 {
      syncKey(
        subject: symbols.name(subject), type: symbols.name(type), syncIdentifier: identifier)
    }
  }

  /// Returns, for each blob number, the function that computes its rows' sync keys.
  ///
  /// Returns nil if no blob has a sync identifier.
  func syncKeys(_ symbols: SymbolTable) -> [SyncKey?]? {
    var keys: [SyncKey?] = [nil]
    for blob in blobs {
      let extras = blob.withUnsafeBytes { Extras(withoutContents: $0) }
      let identifier = extras?.syncIdentifier ?? []
      keys.append(
        identifier.isEmpty ? nil : SyncKey(identifier: identifier, symbols: symbols))
    }
    return keys.contains { $0 != nil } ? keys : nil
  }
}
