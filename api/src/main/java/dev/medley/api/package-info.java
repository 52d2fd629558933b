/** Under construction. */
package dev.medley.api;
