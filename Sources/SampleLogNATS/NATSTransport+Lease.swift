#if NATS
  internal import CNATS

  extension NATSTransport {
    func lease(holder: String, seconds: Double) throws -> Bool {
      let bucket = try bucket(expiringAfter: seconds)
      defer { kvStore_Destroy(bucket) }
      var revision: UInt64 = 0
      if kvStore_CreateString(&revision, bucket, "holder", holder) == NATS_OK { return true }
      var entry: OpaquePointer?
      let status = kvStore_Get(&entry, bucket, "holder")
      defer { kvEntry_Destroy(entry) }
      // The lease has just expired, and another process may acquire it.
      if status == NATS_NOT_FOUND { return try notHeld() }
      guard status == NATS_OK, let entry else {
        throw connection.failure("report the holder of the lease", status)
      }
      guard kvEntry_ValueString(entry).map({ String(cString: $0) }) == holder else { return false }
      let isRenewed =
        kvStore_UpdateString(&revision, bucket, "holder", holder, kvEntry_Revision(entry))
        == NATS_OK
      return try isRenewed || notHeld()
    }

    /// Returns false, or throws if the server denies the user the subject of the lease.
    private func notHeld() throws -> Bool {
      if let denial = connection.denial("keep a lease") { throw denial }
      return false
    }

    /// Returns the bucket of the store's lease, whose entries expire when the lease does; the
    /// caller destroys it.
    ///
    /// The bucket is in memory, so servers that are restarted lose it. It is therefore looked up
    /// for each use. The first caller's duration determines its expiry.
    private func bucket(expiringAfter seconds: Double) throws -> OpaquePointer {
      let name = name + "_lease"
      var handle: OpaquePointer?
      var status = js_KeyValue(&handle, connection.jetStream, name)
      if status == NATS_OK { spread("KV_" + name) }
      if status == NATS_NOT_FOUND,
        try confirmedPresence(of: "KV_" + name, wait: connection.wait) == .absent
      {
        var configuration = kvConfig()
        kvConfig_Init(&configuration)
        configuration.TTL = Int64(seconds * 1e9)
        configuration.History = 1
        configuration.StorageType = js_MemoryStorage
        configuration.Replicas = Int32(try serverCount())
        status = name.withCString {
          configuration.Bucket = $0
          return js_CreateKeyValue(&handle, connection.jetStream, &configuration)
        }
      }
      guard status == NATS_OK, let handle else {
        throw connection.failure("keep a lease", status)
      }
      return handle
    }
  }
#endif
