#if NATS
  internal import CNATS
  internal import SampleLogReplication

  /// Reads the state of a stream for operators.
  extension NATSTransport {
    func status() throws -> StreamStatus? {
      var request = connection.requestOptions()
      var code = jsErrCode(0)
      var info: UnsafeMutablePointer<jsStreamInfo>?
      let result = js_GetStreamInfo(&info, connection.jetStream, name, &request, &code)
      defer { jsStreamInfo_Destroy(info) }
      let isAbsent = code == JSStreamNotFoundErr || result == NATS_NOT_FOUND
      guard result == NATS_OK || isAbsent else {
        throw connection.failure("describe the stream \(name)", result)
      }
      let limit = info?.pointee.Config?.pointee.MaxBytes ?? 0
      return StreamStatus(
        byteCount: info?.pointee.State.Bytes ?? 0, byteLimit: limit > 0 ? UInt64(limit) : nil,
        lease: try lease(), reportAges: try reportMessages().mapValues { Self.age($0.time) })
    }

    /// Returns the lease without acquiring it, or nil if no process has it.
    private func lease() throws -> StreamStatus.Lease? {
      var bucket: OpaquePointer?
      var status = js_KeyValue(&bucket, connection.jetStream, name + "_lease")
      defer { kvStore_Destroy(bucket) }
      var entry: OpaquePointer?
      if status == NATS_OK { status = kvStore_Get(&entry, bucket, "holder") }
      defer { kvEntry_Destroy(entry) }
      if status == NATS_NOT_FOUND { return nil }
      guard status == NATS_OK, let entry, let holder = kvEntry_ValueString(entry) else {
        throw connection.failure("report the holder of the lease", status)
      }
      return StreamStatus.Lease(
        holder: String(cString: holder), age: Self.age(kvEntry_Created(entry)))
    }

    /// Returns the seconds since a time in nanoseconds since 1970.
    private static func age(_ time: Int64) -> Double {
      Double(max(0, nats_NowInNanoSeconds() - time)) / 1e9
    }
  }
#endif
