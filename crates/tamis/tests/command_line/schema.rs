//! As much of JSON Schema as our schemas use.

use serde_json::Value;

/// Whether a document follows a schema; if not, where and why.
pub fn valid(schema: &Value, document: &Value) -> Result<(), String> {
    check(schema, schema, document, "document")
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let wrong = |why: String| Err(format!("{at}: {why}"));
    let keywords = schema.as_object().ok_or_else(|| format!("{at}: the schema is no object"))?;
    for (keyword, says) in keywords {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let path = says.as_str().and_then(|r| r.strip_prefix('#')).ok_or("a reference elsewhere")?;
                let target = root.pointer(path).ok_or_else(|| format!("{path} is not there"))?;
                check(root, target, value, at)?;
            }
            "type" => {
                let fits = match says.as_str() {
                    Some("object") => value.is_object(),
                    Some("array") => value.is_array(),
                    Some("string") => value.is_string(),
                    Some("boolean") => value.is_boolean(),
                    Some("integer") => value.is_i64() || value.is_u64(),
                    Some("number") => value.is_number(),
                    _ => return wrong(format!("unknown type {says}")),
                };
                if !fits {
                    return wrong(format!("{value} is not of type {says}"));
                }
            }
            "const" if value != says => return wrong(format!("{value} is not {says}")),
            "enum" if !says.as_array().is_some_and(|all| all.contains(value)) => {
                return wrong(format!("{value} is not among {says}"));
            }
            "const" | "enum" => {}
            "minimum" if value.as_f64() < says.as_f64() => return wrong(format!("{value} is below {says}")),
            "maximum" if value.as_f64() > says.as_f64() => return wrong(format!("{value} is above {says}")),
            "minimum" | "maximum" => {}
            "required" => {
                let missing = says.as_array().into_iter().flatten().filter_map(Value::as_str);
                if let Some(key) = missing.clone().find(|key| value.get(key).is_none()) {
                    return wrong(format!("no {key}"));
                }
            }
            "properties" => {
                for (key, inner) in says.as_object().into_iter().flatten() {
                    if let Some(value) = value.get(key) {
                        check(root, inner, value, &format!("{at}.{key}"))?;
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (key, value) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(key)) {
                        continue;
                    }
                    if says == false {
                        return wrong(format!("unknown key {key}"));
                    }
                    check(root, says, value, &format!("{at}.{key}"))?;
                }
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, says, value, &format!("{at}[{i}]"))?;
                }
            }
            "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                let count =
                    value.as_array().map(Vec::len).or(value.as_object().map(|o| o.len())).unwrap_or(0) as u64;
                let bound = says.as_u64().ok_or("a bound that is no number")?;
                if keyword.starts_with("min") && count < bound || keyword.starts_with("max") && count > bound
                {
                    return wrong(format!("{count} parts"));
                }
            }
            other => return wrong(format!("unknown keyword {other}")),
        }
    }
    Ok(())
}
