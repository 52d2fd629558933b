/**
 * Reads tables of any database that has a JDBC driver, by a column that grows with each change.
 *
 * <p>May use: base, connect.table, java.sql. Never: a certain driver.
 *
 * <p>Thread: one a view.
 */
@NullMarked
package dev.medley.connect.jdbc;

import org.jspecify.annotations.NullMarked;
