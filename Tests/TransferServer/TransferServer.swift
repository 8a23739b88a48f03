import Foundation
import HealthStore
import HealthTransfer
import HealthTransferServer

/// Receives batches over HTTP on the loopback address, behind a proxy that terminates TLS.
///
///     TransferServer DIRECTORY PORT TOKEN=SUBJECT…
@main struct TransferServer: Sendable {
  let database: HealthDatabase
  let tokens: [String: String]

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let port = UInt16(arguments[2]) else {
      fatalError("usage: TransferServer DIRECTORY PORT TOKEN=SUBJECT…")
    }
    let pairs = arguments[3...].map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let server = TransferServer(
      database: try HealthDatabase(directory: URL(fileURLWithPath: arguments[1])),
      tokens: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }))
    let listener = try Socket(listeningOn: port)
    let address = "http://127.0.0.1:\(listener.port)/batches\n"
    FileHandle.standardOutput.write(Data(address.utf8))
    while true {
      guard let connection = listener.accept() else { continue }
      // Reading blocks and needs a thread; receiving the batch is asynchronous.
      DispatchQueue.global().async {
        let request = HTTPRequest(from: connection)
        Task {
          let (status, body) = await server.answer(request)
          connection.send(HTTPRequest.reply(status, body))
          connection.close()
        }
      }
    }
  }

  func answer(_ request: HTTPRequest?) async -> (status: String, body: Data) {
    guard let request else { return ("400 Bad Request", Data("No request".utf8)) }
    guard request.line.hasPrefix("POST /batches ") else { return ("404 Not Found", Data()) }
    guard let subject = tokens[request.token] else { return ("401 Unauthorized", Data()) }
    do {
      let batch = try TransferBatch(request.body)
      return ("200 OK", try await database.store(subject: subject).receive(batch).reply.data)
    } catch let gap as TransferGap {
      return ("409 Conflict", gap.reply.data)
    } catch let conflict as TransferConflict {
      return ("409 Conflict", conflict.reply.data)
    } catch let error as TransferError {
      return ("400 Bad Request", Data(error.description.utf8))
    } catch {
      return ("503 Service Unavailable", Data(error.localizedDescription.utf8))
    }
  }
}
