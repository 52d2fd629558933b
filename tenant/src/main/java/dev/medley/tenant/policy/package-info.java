/**
 * Reads who may see which rows and columns of which tables, and holds it.
 *
 * <p>May use: expression, quota, api's reading of YAML, connect, iceberg, base. Never: rows.
 *
 * <p>Thread: any; everything is a value.
 */
@NullMarked
package dev.medley.tenant.policy;

import org.jspecify.annotations.NullMarked;
