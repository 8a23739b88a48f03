#if NATS
  internal import CNATS
  internal import SampleLog

  extension NATSTransport {
    /// A key-value bucket whose entries expire when the lease does.
    final class Bucket: @unchecked Sendable {
      let handle: OpaquePointer

      init(_ handle: OpaquePointer) { self.handle = handle }

      deinit { kvStore_Destroy(handle) }
    }

    func lease(holder: String, seconds: Double) throws -> Bool {
      let bucket = try bucket(expiringAfter: seconds)
      var revision: UInt64 = 0
      if kvStore_CreateString(&revision, bucket.handle, "holder", holder) == NATS_OK { return true }
      var entry: OpaquePointer?
      let status = kvStore_Get(&entry, bucket.handle, "holder")
      defer { kvEntry_Destroy(entry) }
      // The lease has just expired, and another process may acquire it.
      if status == NATS_NOT_FOUND { return false }
      guard status == NATS_OK, let entry else {
        throw connection.failure("report the holder of the lease", status)
      }
      guard kvEntry_ValueString(entry).map({ String(cString: $0) }) == holder else { return false }
      return kvStore_UpdateString(
        &revision, bucket.handle, "holder", holder, kvEntry_Revision(entry)) == NATS_OK
    }

    /// Returns the bucket of the store's lease.
    ///
    /// The first caller's duration determines its expiry.
    private func bucket(expiringAfter seconds: Double) throws -> Bucket {
      if let bucket = bucket.withLock({ $0 }) { return bucket }
      let name = name + "_lease"
      var handle: OpaquePointer?
      var status = js_KeyValue(&handle, connection.jetStream, name)
      if status == NATS_NOT_FOUND,
        try confirmedPresence(of: "KV_" + name, wait: connection.wait) == .absent
      {
        var configuration = kvConfig()
        kvConfig_Init(&configuration)
        configuration.TTL = Int64(seconds * 1e9)
        configuration.History = 1
        configuration.StorageType = js_MemoryStorage
        configuration.Replicas = Int32(connection.options.replicaCount)
        status = name.withCString {
          configuration.Bucket = $0
          return js_CreateKeyValue(&handle, connection.jetStream, &configuration)
        }
      }
      guard status == NATS_OK, let handle else {
        throw connection.failure("keep a lease", status)
      }
      let made = Bucket(handle)
      bucket.withLock { $0 = made }
      return made
    }
  }
#endif
