/// One step of a schema's history: SQL that runs once, in a transaction.
///
/// Which steps a database has is said by its list (`Migrations`,
/// `CalendarMigrations`).
struct Migration: Sendable {
    let name: String
    let sql: String
}
