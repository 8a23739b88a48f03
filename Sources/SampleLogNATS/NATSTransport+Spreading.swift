#if NATS
  internal import CNATS
  internal import SampleLog

  /// Keeps the buckets of a stream on as many servers as the stream.
  extension NATSTransport {
    /// The time between two checks of a bucket, in seconds.
    private static let spreadSeconds = 60.0

    /// Returns the number of servers that keep the stream, or the number in the options if the
    /// stream does not exist.
    func serverCount() throws -> Int {
      let text = try answer(
        to: "$JS.API.STREAM.INFO.\(name)", asking: "describe the stream \(name)",
        wait: connection.wait)
      return Self.number("num_replicas", in: text).flatMap { Int(exactly: $0) }
        ?? connection.options.replicaCount
    }

    /// Raises the number of servers that keep a bucket to that of the stream, at most once a
    /// minute.
    ///
    /// An earlier version may have created the bucket on one server, or an operator may have
    /// raised the stream's number. The bucket can be used meanwhile, so a failure is ignored, and
    /// the next check tries again.
    func spread(_ bucket: String) {
      let now = ContinuousClock.now
      let isDue = nextSpread.withLock { next in
        guard next[bucket].map({ now >= $0 }) ?? true else { return false }
        next[bucket] = now + .seconds(Self.spreadSeconds)
        return true
      }
      guard isDue, let count = try? serverCount() else { return }
      var request = connection.requestOptions()
      var info: UnsafeMutablePointer<jsStreamInfo>?
      let status = js_GetStreamInfo(&info, connection.jetStream, bucket, &request, nil)
      defer { jsStreamInfo_Destroy(info) }
      guard status == NATS_OK, let configuration = info?.pointee.Config,
        configuration.pointee.Replicas < Int64(count)
      else { return }
      configuration.pointee.Replicas = Int64(count)
      js_UpdateStream(nil, connection.jetStream, configuration, &request, nil)
    }
  }
#endif
