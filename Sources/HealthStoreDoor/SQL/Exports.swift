import CDoor
import Foundation
import SampleLog

// The functions that the C code calls for SQLite; see swift.h.

nonisolated(unsafe) private let names = tables.map { strdup($0.name) }
nonisolated(unsafe) private let declarations = tables.map { strdup($0.declaration) }

/// Runs a closure and returns nil, or the message of the error it throws, which the caller frees.
func message(_ body: () throws -> Void) -> UnsafeMutablePointer<CChar>? {
  do {
    try body()
    return nil
  } catch {
    return strdup("\(error)")
  }
}

private func connection(_ pointer: UnsafeMutableRawPointer) -> Connection {
  Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
}

/// A cursor and the text that it computed most recently.
private final class OpenCursor {
  let table: any TableCursor
  var text: UnsafeMutablePointer<CChar>?

  init(_ table: any TableCursor) { self.table = table }

  deinit { free(text) }
}

private func cursor(_ pointer: UnsafeMutableRawPointer) -> OpenCursor {
  Unmanaged<OpenCursor>.fromOpaque(pointer).takeUnretainedValue()
}

@_cdecl("door_module_name")
func moduleName(_ module: Int32) -> UnsafePointer<CChar>? {
  UnsafePointer(names[Int(module)])
}

@_cdecl("door_module_schema")
func moduleSchema(_ module: Int32) -> UnsafePointer<CChar>? {
  UnsafePointer(declarations[Int(module)])
}

@_cdecl("door_module_count")
func moduleCount() -> Int32 { Int32(tables.count) }

@_cdecl("door_module_has_text")
func moduleHasText(_ module: Int32, _ column: Int32) -> Bool {
  let columns = tables[Int(module)].columns
  return columns.indices.contains(Int(column)) && columns[Int(column)].kind == .text
}

@_cdecl("door_connection_make")
func makeConnection() -> UnsafeMutableRawPointer { Unmanaged.passRetained(Connection()).toOpaque() }

@_cdecl("door_connection_free")
func freeConnection(_ pointer: UnsafeMutableRawPointer) {
  Unmanaged<Connection>.fromOpaque(pointer).release()
}

@_cdecl("door_connection_open")
func openConnection(
  _ pointer: UnsafeMutableRawPointer, _ path: UnsafePointer<CChar>
) -> UnsafeMutablePointer<CChar>? {
  message { try connection(pointer).open(String(cString: path)) }
}

@_cdecl("door_connection_close")
func closeConnection(_ pointer: UnsafeMutableRawPointer) { connection(pointer).close() }

@_cdecl("door_connection_idle")
func idleConnection(_ pointer: UnsafeMutableRawPointer) { connection(pointer).idle() }

@_cdecl("door_plan_query")
func planQuery(
  _ pointer: UnsafeMutableRawPointer, _ module: Int32, _ plan: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
  message {
    let plan = plan.assumingMemoryBound(to: door_plan.self)
    let terms = UnsafeMutableBufferPointer(
      start: plan.pointee.terms, count: Int(plan.pointee.term_count))
    let order = UnsafeBufferPointer(
      start: plan.pointee.order, count: Int(plan.pointee.order_count))
    var query = QueryPlan(
      terms: terms.map { term in
        QueryPlan.Term(
          column: Int(term.column), comparison: Comparison(rawValue: term.operation) ?? .equal,
          ignoresCase: term.ignores_case, isUsable: term.is_usable, isList: term.is_list,
          value: Value(term.value))
      },
      order: order.map { (Int($0.column), $0.is_descending) })
    try tables[Int(module)].plan(&query, connection(pointer))
    for (index, term) in query.terms.enumerated() {
      terms[index].is_used = term.isUsed
      terms[index].is_exact = term.isExact
      terms[index].is_list = term.isList
    }
    plan.pointee.rows = query.rows
    plan.pointee.cost = query.cost
    plan.pointee.is_impossible = query.isImpossible
    plan.pointee.is_unique = query.isUnique
    plan.pointee.ordering = query.ordering.rawValue
  }
}

@_cdecl("door_cursor_open")
func openCursor(
  _ pointer: UnsafeMutableRawPointer, _ module: Int32, _ constraints: UnsafeRawPointer,
  _ count: Int32, _ columns: UInt64, _ ordering: Int32,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> UnsafeMutablePointer<CChar>? {
  message {
    let constraints = UnsafeBufferPointer(
      start: constraints.assumingMemoryBound(to: door_constraint.self), count: Int(count))
    let request = CursorRequest(
      conditions: constraints.compactMap { Condition($0) }, columns: columns,
      ordering: CursorRequest.Ordering(rawValue: ordering) ?? .none)
    let table = try tables[Int(module)].open(request, connection(pointer))
    out.pointee = Unmanaged.passRetained(OpenCursor(table)).toOpaque()
  }
}

@_cdecl("door_cursor_next")
func fetchBatch(
  _ pointer: UnsafeMutableRawPointer, _ batch: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
  message {
    try cursor(pointer).table.next(&batch.assumingMemoryBound(to: door_batch.self).pointee)
  }
}

@_cdecl("door_cursor_symbol")
func symbolText(
  _ pointer: UnsafeMutableRawPointer, _ column: Int32, _ symbol: UInt32,
  _ out: UnsafeMutableRawPointer
) {
  out.assumingMemoryBound(to: door_text.self).pointee =
    cursor(pointer).table.text(column: Int(column), symbol: symbol)
}

@_cdecl("door_cursor_computed")
func computedText(
  _ pointer: UnsafeMutableRawPointer, _ column: Int32, _ row: Int32,
  _ out: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
  message {
    let open = cursor(pointer)
    free(open.text)
    open.text = try open.table.computed(column: Int(column), row: Int(row)).map { strdup($0) }
    out.assumingMemoryBound(to: door_text.self).pointee =
      open.text.map {
        door_text(bytes: $0, count: Int64(strlen($0)))
      } ?? door_text()
  }
}

@_cdecl("door_cursor_free")
func freeCursor(_ pointer: UnsafeMutableRawPointer) {
  Unmanaged<OpenCursor>.fromOpaque(pointer).release()
}
