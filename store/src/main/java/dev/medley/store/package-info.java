/** Under construction. */
package dev.medley.store;
