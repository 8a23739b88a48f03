#if NATS
  internal import CNATS

  extension NATSOptions {
    /// Adds the files for TLS and the credentials to the library's options.
    ///
    /// - Throws: ``NATSError/unusableFile(path:reason:)``.
    func secure(_ settings: OpaquePointer?) throws -> natsStatus {
      if !verifiesServers {
        let status = natsOptions_SkipServerVerification(settings, true)
        guard status == NATS_OK else { return status }
      }
      if let caFile {
        try check(caFile, natsOptions_LoadCATrustedCertificates(settings, caFile))
      }
      if let file = certificateFile ?? keyFile {
        guard let certificateFile, let keyFile else {
          let missing = keyFile == nil ? "private key" : "certificate"
          throw NATSError.unusableFile(path: file, reason: "the file of its \(missing) is missing")
        }
        try check(
          certificateFile, natsOptions_LoadCertificatesChain(settings, certificateFile, keyFile))
      }
      if usesTLS {
        let status = natsOptions_SetSecure(settings, true)
        guard status == NATS_OK else { return status }
      }
      switch credentials {
      case .none: return NATS_OK
      case .user(let name, let password):
        return natsOptions_SetUserInfo(settings, name, password)
      case .userFile(let name, _): return natsOptions_SetUserInfo(settings, name, readSecret)
      case .token(let token): return natsOptions_SetToken(settings, token)
      case .tokenFile: return natsOptions_SetToken(settings, readSecret)
      case .file(let path): return natsOptions_SetUserCredentialsFromFiles(settings, path, nil)
      }
    }

    private func check(_ path: String, _ status: natsStatus) throws {
      guard status != NATS_OK else { return }
      throw NATSError.unusableFile(path: path, reason: redacted(status.reason))
    }

    /// Returns the error for a connection that could not be made.
    func error(_ status: natsStatus, _ reason: String) -> NATSError {
      if let refusal = refusal(status, reason) { return refusal }
      let reason = redacted(reason)
      if case .file(let path) = credentials, reason.contains(path) {
        return .unusableFile(path: path, reason: reason)
      }
      return .unreachable(server: address, reason: reason)
    }

    /// Returns the error for a connection that the server or the client refused, or nil if the
    /// connection failed for another reason.
    func refusal(_ status: natsStatus, _ reason: String) -> NATSError? {
      let reason = redacted(reason)
      switch status {
      case NATS_CONNECTION_AUTH_FAILED:
        let name = servers.contains(where: Self.hasSecret) ? "the user in its address" : nil
        return .unauthorized(
          server: address, credentials: name ?? "\(credentials)", reason: reason)
      case NATS_SSL_ERROR where reason.contains(":cert="):
        return .untrusted(server: address, reason: "its certificate is refused (\(reason))")
      case NATS_SSL_ERROR: return handshakeRefusal(reason)
      case NATS_SECURE_CONNECTION_WANTED:
        return .untrusted(server: address, reason: "it does not offer TLS")
      // With TLS 1.3, a server refuses a client's certificate after the client's handshake.
      case NATS_PROTOCOL_ERROR where usesTLS:
        return handshakeRefusal("it closed the connection after the TLS handshake")
      default: return nil
      }
    }

    private func handshakeRefusal(_ reason: String) -> NATSError {
      let name = certificateFile.map { "the client certificate \($0)" }
      return .unauthorized(
        server: address, credentials: name ?? "a client without a certificate", reason: reason)
    }
  }

  extension NATSConnection {
    /// Whether the library has given up the connection, as it does after a server has refused the
    /// credentials twice.
    var isClosed: Bool { natsConnection_IsClosed(handle) }

    /// The reason for which the connection is refused, or nil if it exists or failed for another
    /// reason.
    var refusal: NATSError? {
      guard natsConnection_Status(handle) != NATS_CONN_STATUS_CONNECTED else { return nil }
      var text: UnsafePointer<CChar>?
      let status = natsConnection_GetLastError(handle, &text)
      return options.refusal(status, text.map { String(cString: $0) } ?? "")
    }

    /// The error for an operation that needs a subject which the server denies this user, or nil if
    /// the server has denied none.
    func denial(_ operation: String) -> NATSError? {
      var text: UnsafePointer<CChar>?
      natsConnection_GetLastError(handle, &text)
      let reason = text.map { String(cString: $0) } ?? ""
      guard reason.contains("Permissions Violation") else { return nil }
      return .refused(operation: operation, reason: options.redacted(reason))
    }
  }
#endif
