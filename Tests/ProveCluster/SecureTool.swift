import Foundation
import SampleLog
import SampleLogNATS

/// Runs the tool with a server that requires TLS, a client certificate and a password.
struct SecureTool {
  let folder: URL

  func run() throws {
    let folder = folder.appending(path: "secure-tool")
    let certificates = try Certificates(in: folder)
    let servers = try NATSServers(
      1, in: folder, executable: NATSServers.executable ?? "", scheme: "tls",
      security: certificates.tls() + SecurityCheck.users())
    let variables = [
      "NATS_URL": servers.addresses[0], "NATS_CA": certificates.certificate("authority"),
      "NATS_CERT": certificates.certificate("client"), "NATS_KEY": certificates.key("client"),
      "NATS_USER": "ada", "NATS_PASSWORD": SecurityCheck.password,
    ]
    var options = servers.options
    (options.caFile, options.certificateFile) = (variables["NATS_CA"], variables["NATS_CERT"])
    options.keyFile = variables["NATS_KEY"]
    options.credentials = .user("ada", password: SecurityCheck.password)
    _ = try ReplicaProcess.connect(to: Identifier(), options)
    let samples = folder.appending(path: "samples.jsonl")
    let sample = """
      {"uuid":"00000000-0000-4000-8000-000000000001","type":"heartRate",\
      "start":"2026-01-01T00:00:00Z","value":60,"unit":"count/min"}
      """
    try Data(sample.utf8).write(to: samples)
    let store = folder.appending(path: "store").path
    let tool = { (arguments: [String], changes: [String: String]) in
      try ToolRun(arguments, in: folder, variables: variables.merging(changes) { $1 })
    }
    let primary = ["primary", samples.path, "--store", store]
    let said = try tool(primary, [:]).finish()
    try expect(said.contains("published up to sequence number 1"), said)
    // Options take precedence, and files may contain the secrets.
    let file = folder.appending(path: "password")
    try Data((SecurityCheck.password + "\n").utf8).write(to: file)
    let cluster = ["cluster", store, "--user", "ada", "--password-file", file.path]
    let state = try tool(cluster, ["NATS_USER": "eve", "NATS_PASSWORD": "wrong"]).finish()
    for fact in ["streamSequence", "streamBytes", "unpublished"] {
      try expect(state.contains(fact), state)
    }
    for (changes, status, part) in [
      (["NATS_PASSWORD": "wrong-9d2e"], 1, "refused the user ada"),
      (["NATS_CA": certificates.certificate("stranger")], 1, "is not trusted"),
      (["NATS_URL": "tls://127.0.0.1:1"], 9, "No NATS server answers"),
      (["NATS_CERT": certificates.certificate("expired-client")], 2, "cannot be used"),
    ] {
      let text = try tool(["cluster", store], changes).finish(status: Int32(status))
      try expect(text.contains(part), text)
      try expect(!text.contains("wrong-9d2e") && !text.contains(SecurityCheck.password), text)
    }
  }
}
