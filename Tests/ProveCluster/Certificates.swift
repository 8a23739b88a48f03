import Foundation

/// Certificates and keys in a folder, made with openssl.
struct Certificates {
  let folder: URL

  /// Makes an authority, a second one that nothing trusts, and their servers and clients.
  init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["authority", "stranger"] {
      try openssl(
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
          + ["-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).pem"])
    }
    let here = "DNS:localhost,IP:127.0.0.1"
    try issue("server", for: here)
    try issue("expired-server", for: here, days: -1)
    try issue("elsewhere", for: "DNS:elsewhere.example")
    try issue("client", for: "DNS:client")
    try issue("expired-client", for: "DNS:client", days: -1)
  }

  func certificate(_ name: String) -> String { folder.appending(path: "\(name).pem").path }

  func key(_ name: String) -> String { folder.appending(path: "\(name).key").path }

  /// Returns a server's configuration of TLS.
  func tls(_ name: String = "server", verifies: Bool = true) -> String {
    """
    tls {
      cert_file: "\(certificate(name))", key_file: "\(key(name))"
      ca_file: "\(certificate("authority"))", verify: \(verifies), timeout: 10
    }

    """
  }

  private func issue(_ name: String, for host: String, days: Int = 2) throws {
    try openssl(
      ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        + ["-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr"])
    try Data("subjectAltName=\(host)\n".utf8).write(to: folder.appending(path: "\(name).ext"))
    try openssl(
      ["x509", "-req", "-in", "\(name).csr", "-CA", "authority.pem", "-CAkey", "authority.key"]
        + ["-CAcreateserial", "-extfile", "\(name).ext", "-days", "\(days)", "-out", "\(name).pem"])
  }

  @discardableResult
  func openssl(_ arguments: [String]) throws -> Data {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try expect(process.terminationStatus == 0, "openssl \(arguments.joined(separator: " "))")
    return data
  }
}
