#if NATS
  internal import CNATS
  internal import SampleLogReplication

  /// Creates streams, after checking that the servers do not have them already.
  extension NATSTransport {
    /// The result of asking the servers whether a stream exists.
    enum Presence {
      case present, absent
      /// No server responded in time, or the servers have no leader.
      case unknown
    }

    /// Creates a stream with one subject.
    ///
    /// An existing stream is left unchanged.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - subject: The subject of its messages.
    ///   - configuration: The remaining configuration of the stream.
    ///   - wait: The timeout, in milliseconds.
    /// - Returns: Whether the stream exists now; false if the servers did not confirm it in time.
    /// - Throws: ``NATSError`` if the stream cannot be created.
    func makeStream(
      _ name: String, for subject: String, _ configuration: jsStreamConfig, wait: Int64
    ) throws -> Bool {
      switch try confirmedPresence(of: name, wait: wait) {
      case .present: true
      case .unknown: false
      case .absent: try addStream(name, for: subject, configuration, wait: wait)
      }
    }

    /// Returns whether the servers have a stream, according to a leader that has applied its whole
    /// log.
    ///
    /// After a restart of all servers, their leader answers requests before it has applied the end
    /// of its log, and does not know the newest streams yet. A request to create one of them
    /// creates it a second time, after which it never has a leader again (nats-server 2.9:
    /// "detected duplicate assignment"). Creating another stream appends to the same log; when that
    /// has succeeded, the leader has applied everything before it.
    func confirmedPresence(of name: String, wait: Int64) throws -> Presence {
      let first = try presence(of: name, wait: wait)
      guard first == .absent else { return first }
      var configuration = jsStreamConfig()
      jsStreamConfig_Init(&configuration)
      configuration.Storage = js_MemoryStorage
      let probe = "\(self.name)_probe_\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
      let isMade = try addStream(probe, for: probe, configuration, wait: connection.wait)
      var request = connection.requestOptions()
      // If this fails, the probe stream remains. It is empty, in memory, and its name is never
      // reused.
      js_DeleteStream(connection.jetStream, probe, &request, nil)
      return isMade ? try presence(of: name, wait: wait) : .unknown
    }

    private func presence(of name: String, wait: Int64) throws -> Presence {
      let text: String
      do {
        text = try answer(
          to: "$JS.API.STREAM.INFO.\(name)", asking: "say whether it has the stream \(name)",
          wait: wait)
      } catch NATSError.unreachable {
        return .unknown
      }
      switch Self.number("err_code", in: text) {
      case nil where Self.number("last_seq", in: text) != nil: return .present
      case UInt64(JSStreamNotFoundErr.rawValue): return .absent
      case nil, UInt64(JSClusterNotAvailErr.rawValue): return .unknown
      default:
        throw NATSError.refused(
          operation: "say whether it has the stream \(name)", reason: String(text.prefix(200)))
      }
    }

    private func addStream(
      _ name: String, for subject: String, _ configuration: jsStreamConfig, wait: Int64
    ) throws -> Bool {
      var configuration = configuration
      var request = connection.requestOptions()
      request.Wait = wait
      var code = jsErrCode(0)
      let status = name.withCString { name in
        subject.withCString { subject in
          var subjects: [UnsafePointer<CChar>?] = [subject]
          return subjects.withUnsafeMutableBufferPointer { subjects in
            configuration.Name = name
            configuration.Subjects = subjects.baseAddress
            configuration.SubjectsLen = 1
            return js_AddStream(nil, connection.jetStream, &configuration, &request, &code)
          }
        }
      }
      if status == NATS_TIMEOUT { return false }
      // An existing stream with another size or replica count is accepted as its operator
      // configured it.
      guard status == NATS_OK || code == JSStreamNameExistErr else {
        throw connection.failure("make the stream \(name)", status)
      }
      return true
    }
  }
#endif
